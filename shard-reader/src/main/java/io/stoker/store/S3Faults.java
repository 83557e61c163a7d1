package io.stoker.store;

import io.stoker.store.StoreFault.Kind;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** Says what can be done about an exception of the SDK. */
final class S3Faults {
  // RequestExpired blames the age of the signature, which old credentials and a wrong clock may
  // both have caused. The SDK has already taken the server's time, so what is left is to renew.
  private static final Set<String> EXPIRED_CODES =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired");
  private static final Set<String> BROKEN_CODES = Set.of("RequestTimeout", "InternalError");

  private S3Faults() {}

  /**
   * The fault.
   *
   * @param shown the address of the object as messages show it
   */
  static StoreFault of(SdkException e, String shown) {
    String message = "cannot get %s: %s".formatted(shown, e.getMessage());
    if (e instanceof AwsServiceException answer) {
      Kind kind = kind(answer);
      return kind == Kind.FINAL && answer.statusCode() == 403
          ? denied(answer, shown)
          : new StoreFault(kind, message, e);
    }
    boolean late =
        e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException;
    return new StoreFault(late ? Kind.BROKEN : StoreFault.ofConnection(e), message, e);
  }

  private static Kind kind(AwsServiceException e) {
    String code = code(e);
    int status = e.statusCode();
    if (EXPIRED_CODES.contains(code)) {
      return Kind.EXPIRED;
    }
    // The SDK knows the codes of all services for this, and takes 429 for one.
    if (e.isThrottlingException() || status == 503) {
      return Kind.BUSY;
    }
    // The SDK has taken the server's time from the answer and signs with it from now on.
    if (e.isClockSkewException() || BROKEN_CODES.contains(code) || status == 408) {
      return Kind.BROKEN;
    }
    return switch (status) {
      // A bucket whose name is wrong must not look like an object that is missing.
      case 404 -> code.equals("NoSuchBucket") ? Kind.FINAL : Kind.MISSING;
      case 412 -> Kind.CHANGED;
      default -> status >= 500 ? Kind.BROKEN : Kind.FINAL;
    };
  }

  private static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null ? "" : String.valueOf(e.awsErrorDetails().errorCode());
  }

  /** Rights are given by prefix, and S3 hides by this answer that an object is missing. */
  private static StoreFault denied(AwsServiceException e, String shown) {
    return new StoreFault(
        Kind.FINAL,
        "access denied under %s (%s), asked for %s; allow to read there, and to list the bucket if the object may be missing: %s"
            .formatted(
                shown.substring(0, shown.lastIndexOf('/') + 1), code(e), shown, e.getMessage()),
        e);
  }
}
