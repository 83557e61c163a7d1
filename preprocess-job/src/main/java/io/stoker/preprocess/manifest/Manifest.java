package io.stoker.preprocess.manifest;

import java.io.Serializable;

/**
 * A manifest as it was listed when the job started.
 *
 * @param uri full URI, with the scheme of the file system that holds it
 * @param bytes length when listed; the job fails when the object has another length later
 */
public record Manifest(String uri, long bytes) implements Serializable {}
