package io.stoker.preprocess.fetch;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/** Bytes against the ETag that came with them. */
final class EtagCheck {
  // That of a multipart upload ends in the number of parts.
  private static final Pattern MD5 = Pattern.compile("\"?([0-9a-f]{32})\"?");

  private EtagCheck() {}

  /** Whether the bytes are what the ETag says; true where it says nothing of them. */
  static boolean agrees(GetObjectResponse response, byte[] bytes) {
    var etag = MD5.matcher(String.valueOf(response.eTag()));
    return !etag.matches()
        || isEncryptedWithKey(response)
        || etag.group(1).equals(HexFormat.of().formatHex(md5(bytes)));
  }

  /** Under a customer's key the ETag is that of the cipher text. */
  private static boolean isEncryptedWithKey(GetObjectResponse response) {
    return response.sseCustomerAlgorithm() != null
        || (response.serverSideEncryption() != null
            && response.serverSideEncryption() != ServerSideEncryption.AES256);
  }

  private static byte[] md5(byte[] bytes) {
    try {
      return MessageDigest.getInstance("MD5").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }
}
