package io.stoker.store;

import io.stoker.format.ShardFormatException;
import java.io.IOException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** What to do about a request that failed. */
enum S3Fault {
  /** It would fail again. */
  PERMANENT,
  /** There is no such object. */
  MISSING,
  /** It may well succeed the next time. */
  TRANSIENT,
  /** The server has too much to do. */
  SLOW_DOWN,
  /** The credentials have expired: it may succeed with new ones. */
  EXPIRED,
  /** The object is not the one that was there before. */
  CHANGED,
  /** The answer is not one to the question; repeated a few times only. */
  WRONG_ANSWER;

  private static final Set<String> EXPIRED_CODES =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired");
  // The SDK has learned the server's time when it reports the first two.
  private static final Set<String> TRANSIENT_CODES =
      Set.of("RequestTimeTooSkewed", "RequestInTheFuture", "RequestTimeout", "InternalError");
  private static final Set<String> SLOW_DOWN_CODES =
      Set.of("SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded");

  static S3Fault of(Exception e) {
    if (e instanceof AwsServiceException service) {
      return of(service);
    }
    if (e instanceof SdkException) {
      return causedByIo(e) ? TRANSIENT : PERMANENT;
    }
    if (e instanceof ShardFormatException) {
      return WRONG_ANSWER;
    }
    return e instanceof IOException ? TRANSIENT : PERMANENT;
  }

  private static S3Fault of(AwsServiceException e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode();
    if (EXPIRED_CODES.contains(code)) {
      return EXPIRED;
    }
    if (TRANSIENT_CODES.contains(code)) {
      return TRANSIENT;
    }
    if (SLOW_DOWN_CODES.contains(code)) {
      return SLOW_DOWN;
    }
    return switch (e.statusCode()) {
      case 404 -> MISSING;
      case 408 -> TRANSIENT;
      case 412 -> CHANGED;
      case 429, 503 -> SLOW_DOWN;
      default -> e.statusCode() >= 500 ? TRANSIENT : PERMANENT;
    };
  }

  private static boolean causedByIo(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
