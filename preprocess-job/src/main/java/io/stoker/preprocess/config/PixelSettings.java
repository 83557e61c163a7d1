package io.stoker.preprocess.config;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.vision.PixelEncoding;
import io.stoker.preprocess.vision.PixelTemporal;
import io.stoker.preprocess.vision.SimdPath;
import java.io.Serializable;
import java.util.Locale;

/**
 * How pixels are made and stored.
 *
 * @param simd code path of the kernels
 * @param encoding type of a value
 * @param temporal temporal slots of a patch
 */
public record PixelSettings(SimdPath simd, PixelEncoding encoding, PixelTemporal temporal)
    implements Serializable {
  /** The same in the words of the shard format. */
  public PixelLayout layout() {
    return PixelLayout.of(
        encoding.name().toLowerCase(Locale.ROOT), temporal.name().toLowerCase(Locale.ROOT));
  }
}
