package io.stoker.preprocess.it;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** What a relay does to one exchange. */
sealed interface Fault {
  /** The request does not reach the server; the answer is made up. */
  record Answer(int status, String code, Duration clock) implements Fault {
    String text() {
      String body =
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>%s</Code><Message>made up: %s</Message></Error>"
              .formatted(code, code);
      return """
          HTTP/1.1 %d Made up\r
          Date: %s\r
          Content-Type: application/xml\r
          Content-Length: %d\r
          Connection: close\r
          \r
          """
              .formatted(
                  status,
                  DateTimeFormatter.RFC_1123_DATE_TIME.format(
                      ZonedDateTime.now(ZoneOffset.UTC).plus(clock)),
                  body.length())
          + body;
    }
  }

  /** The server's answer begins late. */
  record Late(Duration delay) implements Fault {}

  /** The answer's body does not go through as it is. */
  record Body(BodyFault damage, boolean reset) implements Fault {}

  /** The server does what it is asked, and its answer does not arrive. */
  record Lost() implements Fault {}

  /** The connection is reset before the request reaches the server. */
  record Reset() implements Fault {}

  static Fault answer(int status, String code) {
    return new Answer(status, code, Duration.ZERO);
  }

  static Fault resetAfter(long bytes) {
    return new Body(BodyFault.cut(bytes), true);
  }

  static Fault closeAfter(long bytes) {
    return new Body(BodyFault.cut(bytes), false);
  }
}
