package io.stoker.bench;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * What the server and the loopback device give to a client that asks for the same ranges on as many
 * connections, computes the checksum and keeps nothing: no reader can be faster. A process of its
 * own. Prints bytes per second.
 *
 * <p>Arguments: URL of an object, its bytes, bytes of a range, connections, seconds.
 */
final class PlainClient {
  private static final int CHUNK = 128 << 10;

  private PlainClient() {}

  public static void main(String[] args) throws Exception {
    long bytes = Long.parseLong(args[1]);
    int range = Integer.parseInt(args[2]);
    int connections = Integer.parseInt(args[3]);
    long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[4]));
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    try {
      long start = System.nanoTime();
      List<Future<Long>> running = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        long first = i % (bytes / range) * range;
        running.add(threads.submit(() -> read(args[0], first, range, start + nanos)));
      }
      long sum = 0;
      for (Future<Long> result : running) {
        sum += result.get();
      }
      System.out.printf(Locale.ROOT, "%.0f%n", sum / ((System.nanoTime() - start) / 1e9));
    } finally {
      threads.shutdownNow();
    }
  }

  private static long read(String url, long first, int range, long end) throws Exception {
    byte[] chunk = new byte[CHUNK];
    long sum = 0;
    while (System.nanoTime() < end) {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      connection.setRequestProperty("Range", "bytes=" + first + "-" + (first + range - 1));
      CRC32C crc = new CRC32C();
      try (InputStream in = connection.getInputStream()) {
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          crc.update(chunk, 0, count);
          sum += count;
        }
      }
    }
    return sum;
  }
}
