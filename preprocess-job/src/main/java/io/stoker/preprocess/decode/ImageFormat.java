package io.stoker.preprocess.decode;

/**
 * The encoded formats that can be decoded. Others are recognised only to name them in a refusal.
 */
public enum ImageFormat {
  JPEG,
  PNG,
  WEBP,
  GIF,
  BMP
}
