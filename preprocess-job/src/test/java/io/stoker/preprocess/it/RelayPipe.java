package io.stoker.preprocess.it;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** One direction of a connection. */
final class RelayPipe implements AutoCloseable {
  private static final int MAX_HEAD_BYTES = 1 << 16;
  private final InputStream in;
  private OutputStream out;
  private AtomicLong bodyBytes = new AtomicLong();
  private BodyFault fault = BodyFault.NONE;

  RelayPipe(InputStream in, OutputStream out) {
    this.in = new BufferedInputStream(in);
    this.out = new BufferedOutputStream(out);
  }

  /** Reads a head without passing it on, its empty line included; nothing at the end. */
  String readHead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!line(bytes).isEmpty()) {
      // The line is in bytes.
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  /** Passes a head on that was read. */
  void pass(String head) throws IOException {
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /**
   * What happens to the bodies that go through from now on.
   *
   * @return the count of their bytes, which goes on counting and is never behind what a client has
   */
  AtomicLong damage(BodyFault next) {
    fault = next;
    bodyBytes = new AtomicLong();
    return bodyBytes;
  }

  /** Reads a body to its end and passes nothing on, now and later. */
  void discard(String head) throws IOException {
    out = OutputStream.nullOutputStream();
    body(head, true);
  }

  /** Passes a head on; nothing at the end of the stream. */
  String head() throws IOException {
    String head = readHead();
    pass(head);
    return head.strip();
  }

  private String line(ByteArrayOutputStream copy) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      copy.write(b);
      if (b == '\n' || copy.size() > MAX_HEAD_BYTES) {
        break;
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }

  private String passLine() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String line = line(bytes);
    bytes.writeTo(out);
    return line;
  }

  /**
   * Passes a body on.
   *
   * @param untilEnd whether a body of unknown length ends with the stream; otherwise there is none
   */
  void body(String head, boolean untilEnd) throws IOException {
    String length = CountingRelay.header(head, "content-length");
    if (CountingRelay.header(head, "transfer-encoding").equalsIgnoreCase("chunked")) {
      chunks();
    } else if (!length.isEmpty()) {
      copy(Long.parseLong(length));
    } else if (untilEnd) {
      bodyBytes.addAndGet(in.transferTo(out));
    }
    out.flush();
  }

  private void chunks() throws IOException {
    long size;
    do {
      size = Long.parseLong(passLine().split(";", 2)[0], 16);
      copy(size);
      // The line end after a chunk; after the last one, the end of the trailers.
      while (!passLine().isEmpty()) {
        // Trailers are not counted.
      }
      out.flush();
    } while (size > 0);
  }

  private void copy(long count) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = count;
    while (left > 0) {
      int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (n < 0) {
        throw new EOFException("the stream ended %d bytes early".formatted(left));
      }
      fault.write(out, buffer, n, bodyBytes.getAndAdd(n));
      left -= n;
      // A client that waits for the first bytes must get them.
      if (in.available() == 0) {
        out.flush();
      }
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
