package io.stoker.bench;

import io.stoker.fixture.FakeS3;
import java.io.IOException;
import java.nio.file.Path;

/**
 * An S3 server in a process of its own, so that what it costs is not counted as the reader's. Says
 * its URL on its output; ends when its input does.
 *
 * <p>Arguments: directory, milliseconds by which each answer is late.
 */
final class StoreProcess {
  private StoreProcess() {}

  public static void main(String[] args) throws IOException {
    long latency = Long.parseLong(args[1]);
    try (FakeS3 server = new FakeS3(Path.of(args[0]), 1 << 16)) {
      server.next(Integer.MAX_VALUE, "", (request, answer) -> Thread.sleep(latency));
      System.out.println(server.endpoint());
      while (System.in.read() >= 0) {
        // Serves until the process that started this one has ended.
      }
    }
  }
}
