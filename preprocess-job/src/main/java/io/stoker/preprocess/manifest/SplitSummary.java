package io.stoker.preprocess.manifest;

import java.io.Serializable;

/**
 * What one pass over a split found.
 *
 * @param lines lines that start in the split, blank ones included
 * @param records lines that are not blank
 * @param sha256 hash of the lines, in hex: the content of the input, wherever it is stored
 */
public record SplitSummary(long lines, long records, String sha256) implements Serializable {}
