package io.stoker.preprocess.manifest;

import java.io.Serializable;

/**
 * Where a manifest record stands.
 *
 * @param manifest name of the manifest, as listed
 * @param offset byte offset of the first byte of the line in the manifest
 * @param line line number, counted from 1, blank lines included
 */
public record Provenance(String manifest, long offset, long line) implements Serializable {
  @Override
  public String toString() {
    return manifest + ":" + line;
  }
}
