package io.stoker.preprocess.config;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.vision.SimdPath;
import java.io.Serializable;

/**
 * How pixels are made and stored.
 *
 * @param simd code path of the kernels
 * @param layout type of a value and temporal slots of a patch
 */
public record PixelSettings(SimdPath simd, PixelLayout layout) implements Serializable {}
