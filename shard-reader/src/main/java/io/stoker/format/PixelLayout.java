package io.stoker.format;

import java.io.Serializable;
import java.util.List;

/**
 * How one patch of 16 x 16 pixels and 3 channels is stored: {@code [3][temporal][16][16]} elements.
 *
 * @param type {@link ElementType#UINT8} (the raw pixel, to be mapped by the dataset's value table),
 *     {@link ElementType#BFLOAT16} or {@link ElementType#FLOAT32} (the mapped value)
 * @param duplicated whether both temporal slots of the patch are stored, with equal content, as the
 *     model takes them; otherwise one
 */
public record PixelLayout(ElementType type, boolean duplicated) implements Serializable {
  /** The default: raw pixels, one temporal slot, 768 bytes per patch. */
  public static final PixelLayout UINT8 = new PixelLayout(ElementType.UINT8, false);

  private static final String SINGLE = "single";
  private static final String DUPLICATED = "duplicated";

  /** What {@link #encoding} can be. */
  public static final List<String> ENCODINGS =
      List.of(ElementType.UINT8.dtype(), ElementType.BFLOAT16.dtype(), ElementType.FLOAT32.dtype());

  /** What {@link #temporal} can be. */
  public static final List<String> TEMPORALS = List.of(SINGLE, DUPLICATED);

  public PixelLayout {
    if (type == ElementType.INT32 || type == ElementType.INT64) {
      throw new IllegalArgumentException(
          "pixel encoding: expected uint8, bfloat16 or float32, found " + type.dtype());
    }
  }

  /**
   * The layout with the given names.
   *
   * @param encoding {@code uint8}, {@code bfloat16} or {@code float32}
   * @param temporal {@code single} or {@code duplicated}
   * @throws IllegalArgumentException if a name is unknown
   */
  public static PixelLayout of(String encoding, String temporal) {
    boolean duplicated =
        switch (temporal) {
          case SINGLE -> false;
          case DUPLICATED -> true;
          default ->
              throw new IllegalArgumentException(
                  "pixel temporal: expected single or duplicated, found " + temporal);
        };
    for (ElementType type : ElementType.values()) {
      if (type.dtype().equals(encoding)) {
        return new PixelLayout(type, duplicated);
      }
    }
    throw new IllegalArgumentException(
        "pixel encoding: expected uint8, bfloat16 or float32, found " + encoding);
  }

  /** The name of the element type, as stored in metadata. */
  public String encoding() {
    return type.dtype();
  }

  /** {@code single} or {@code duplicated}, as stored in metadata. */
  public String temporal() {
    return duplicated ? DUPLICATED : SINGLE;
  }

  /** Elements of one patch: 768 or 1536. */
  public int valuesPerPatch() {
    return duplicated ? 2 * ShardFormat.PATCH_VALUES : ShardFormat.PATCH_VALUES;
  }

  /** Bytes of one patch. */
  public int bytesPerPatch() {
    return valuesPerPatch() * type.bytes();
  }
}
