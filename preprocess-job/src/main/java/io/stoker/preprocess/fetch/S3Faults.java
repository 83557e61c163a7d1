package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.fetch.StoreFault.Kind.BROKEN;
import static io.stoker.preprocess.fetch.StoreFault.Kind.BUSY;
import static io.stoker.preprocess.fetch.StoreFault.Kind.EXPIRED;
import static io.stoker.preprocess.fetch.StoreFault.Kind.FINAL;
import static io.stoker.preprocess.fetch.StoreFault.Kind.UNREACHABLE;

import io.stoker.preprocess.reject.SafeText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** What the SDK throws → what may help. */
final class S3Faults {
  private static final Set<String> EXPIRED_CODES =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");

  private S3Faults() {}

  static StoreFault of(SdkException e, MediaSource.Stored source) {
    if (e instanceof AwsServiceException answer) {
      StoreFault.Kind kind = kind(answer);
      if (kind == FINAL && answer.statusCode() == 403) {
        return denied(answer, source);
      }
      return new StoreFault(kind, message(e, source), e);
    }
    if (e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException) {
      return new StoreFault(BROKEN, message(e, source), e);
    }
    return new StoreFault(kindOfConnection(e), message(e, source), e);
  }

  private static StoreFault.Kind kind(AwsServiceException e) {
    int status = e.statusCode();
    if (e.isThrottlingException() || status == 503 || status == 429) {
      return BUSY;
    }
    if (EXPIRED_CODES.contains(code(e))) {
      return EXPIRED;
    }
    // The SDK has taken the server's time from the answer and signs with it from now on.
    if (e.isClockSkewException()) {
      return BROKEN;
    }
    return status >= 500 || status == 408 || code(e).equals("RequestTimeout") ? BROKEN : FINAL;
  }

  static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null ? "" : String.valueOf(e.awsErrorDetails().errorCode());
  }

  private static StoreFault denied(AwsServiceException e, MediaSource.Stored source) {
    int slash = source.key().lastIndexOf('/');
    String prefix = slash < 0 ? "" : source.key().substring(0, slash + 1);
    return new StoreFault(
        FINAL,
        "access denied under %s (%s), asked for %s; the job may read there, or list the bucket if the object may be missing"
            .formatted(
                SafeText.reference("s3a://" + source.authority() + "/" + prefix), code(e), source),
        e);
  }

  private static StoreFault.Kind kindOfConnection(Throwable e) {
    boolean never =
        causes(e)
            .anyMatch(
                cause ->
                    cause instanceof ConnectException
                        || cause instanceof UnknownHostException
                        || cause instanceof NoRouteToHostException
                        || cause.getClass().getSimpleName().endsWith("ConnectTimeoutException")
                        || cause
                            .getClass()
                            .getSimpleName()
                            .equals("ConnectionPoolTimeoutException"));
    if (never) {
      return UNREACHABLE;
    }
    // Without an I/O error it is our side that is wrong: no credentials, say.
    return causes(e).anyMatch(IOException.class::isInstance) ? BROKEN : FINAL;
  }

  private static Stream<Throwable> causes(Throwable e) {
    return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
  }

  private static String message(SdkException e, MediaSource.Stored source) {
    return "cannot get %s: %s".formatted(source, e.getMessage());
  }
}
