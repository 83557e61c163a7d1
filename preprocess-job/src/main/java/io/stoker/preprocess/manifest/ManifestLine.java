package io.stoker.preprocess.manifest;

import java.io.Serializable;

/**
 * One line of a manifest, not yet parsed.
 *
 * @param provenance where the line stands
 * @param bytes the line as it is in the manifest, without its line end; never modified
 * @param ended whether a line end follows; only the last line of a manifest may lack it, and then
 *     may have been cut
 */
public record ManifestLine(Provenance provenance, byte[] bytes, boolean ended)
    implements Serializable {}
