package io.stoker.preprocess.sample;

/** What a manifest line turned out to be. */
public sealed interface ParsedLine permits Sample, Rejection {}
