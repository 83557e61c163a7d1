package io.stoker.preprocess.spark;

import io.stoker.preprocess.manifest.Split;
import io.stoker.preprocess.manifest.SplitSummary;
import java.io.Serializable;

/**
 * A split and what the first pass found in it; the second pass must find the same.
 *
 * @param split the range, its first line's number known
 * @param summary its sums
 */
record ScannedSplit(Split split, SplitSummary summary) implements Serializable {}
