package io.stoker.preprocess.manifest;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in lower-case hexadecimal: the fingerprint of everything that a job reads. */
public final class Sha256 {
  private Sha256() {}

  /** The hash of some bytes. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(digest().digest(bytes));
  }

  /** The hash of what a digest was fed with. */
  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** A new digest. */
  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
