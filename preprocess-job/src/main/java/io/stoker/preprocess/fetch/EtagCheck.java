package io.stoker.preprocess.fetch;

import io.stoker.store.S3Gets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/** Compares bytes with the ETag that came with them. */
final class EtagCheck {
  // The ETag of a multipart upload ends in the number of parts.
  private static final Pattern MD5 = Pattern.compile("\"?([0-9a-f]{32})\"?");

  private EtagCheck() {}

  /** Whether the bytes are what the ETag says; also true where the ETag says nothing of them. */
  static boolean agrees(S3Gets.Got got) {
    var etag = MD5.matcher(String.valueOf(got.answer().eTag()));
    return !etag.matches()
        || isEncryptedWithKey(got.answer())
        || etag.group(1).equals(HexFormat.of().formatHex(md5(got.body().array())));
  }

  /** With a customer's key, the ETag is the hash of the encrypted bytes. */
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
