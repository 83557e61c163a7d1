package io.stoker.preprocess.decode;

import java.util.List;

/**
 * The encoded formats that can be decoded. Others are recognised only to name them in a refusal.
 *
 * <p>CONTRIBUTING.md says how to add one.
 */
public enum ImageFormat {
  JPEG("\u00FF\u00D8\u00FF"),
  PNG("\u0089PNG\r\n\u001A\n"),
  WEBP("RIFF????WEBP"),
  GIF("GIF87a", "GIF89a"),
  BMP("BM");

  private static final char ANY_BYTE = '?';

  // What List.of makes cannot be changed, although its type does not say so.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<String> signatures;

  /**
   * @param signatures first bytes of a file, one character each; a question mark stands for any
   */
  ImageFormat(String... signatures) {
    this.signatures = List.of(signatures);
  }

  /** Whether a file begins as files of this format do. */
  boolean isFormatOf(Bytes file) {
    return signatures.stream().anyMatch(signature -> file.matches(signature, ANY_BYTE));
  }
}
