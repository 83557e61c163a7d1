package io.stoker.format;

/** The element types a tensor can have. All are stored little-endian. */
public enum ElementType {
  /** Unsigned 8-bit integer. */
  UINT8("uint8", 1),
  /** The upper 16 bits of an IEEE binary32; Arrow stores it as uint16. */
  BFLOAT16("bfloat16", 2),
  /** IEEE binary32. */
  FLOAT32("float32", 4),
  /** Signed 32-bit integer. */
  INT32("int32", 4),
  /** Signed 64-bit integer. */
  INT64("int64", 8);

  private final String dtype;
  private final int bytes;

  ElementType(String dtype, int bytes) {
    this.dtype = dtype;
    this.bytes = bytes;
  }

  /** The name that numpy and torch give this type, for example {@code int64}. */
  public String dtype() {
    return dtype;
  }

  /** Size of one element in bytes. */
  public int bytes() {
    return bytes;
  }
}
