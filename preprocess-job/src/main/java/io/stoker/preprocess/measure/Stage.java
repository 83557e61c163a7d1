package io.stoker.preprocess.measure;

import java.util.Locale;

/** Where a task's thread spends its time. Stages do not overlap within a task. */
public enum Stage {
  /** Asking for media, and waiting for those that have not arrived yet. */
  FETCH_WAIT,
  /** Headers and pixels of images. */
  DECODE,
  /** Resizing and cutting into patches. */
  RESIZE,
  /** Parsing, rendering and tokenizing. */
  TEXT,
  /** Choosing packs. */
  PACK,
  /** Collecting finished samples in blocks. */
  WRITE,
  /** Waiting until the block before is encoded, checksummed and handed to the store. */
  UPLOAD_WAIT;

  /** The name in reports, for example {@code fetch-wait}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
