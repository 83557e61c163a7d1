package io.stoker.preprocess.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places where a test lets the process die, as if its power were cut, or stand still, as if its
 * machine did not answer. Nothing happens without these system properties:
 *
 * <ul>
 *   <li>{@code stoker.crash-point} names a place, with {@code :n} for its n-th passing: the process
 *       ends there.
 *   <li>{@code stoker.pause-point} names a place and, after a colon, a file. The first process to
 *       pass creates the file, its pid in it, and stands still until there is a file of that name
 *       with {@code .go} appended; all others go on.
 * </ul>
 */
public final class CrashPoint {
  private static final String CRASH = "stoker.crash-point";
  private static final String PAUSE = "stoker.pause-point";
  private static final int KILLED = 137;
  private static final long POLL_MILLIS = 20;
  private static final AtomicInteger PASSED = new AtomicInteger();

  private CrashPoint() {}

  /** Dies or stands still here if a property says so. */
  public static void hit(String name) {
    String crash = System.getProperty(CRASH);
    if (crash != null) {
      dieAt(name, crash.split(":", 2));
    }
    String pause = System.getProperty(PAUSE);
    if (pause != null && pause.startsWith(name + ":")) {
      pauseAt(Path.of(pause.substring(name.length() + 1)));
    }
  }

  /** Dies at a sample. The place is named {@code sample-} and the id of the sample. */
  public static void hitSample(String id) {
    if (System.getProperty(CRASH) != null) {
      hit("sample-" + id);
    }
  }

  private static void dieAt(String name, String[] wanted) {
    int pass = wanted.length == 1 ? 1 : Integer.parseInt(wanted[1]);
    if (wanted[0].equals(name) && PASSED.incrementAndGet() == pass) {
      Runtime.getRuntime().halt(KILLED);
    }
  }

  private static void pauseAt(Path file) {
    try {
      Files.writeString(
          file, Long.toString(ProcessHandle.current().pid()), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path go = file.resolveSibling(file.getFileName() + ".go");
    while (!Files.exists(go)) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        // A machine that does not answer does not hear of an interrupt either: keep standing still.
        continue;
      }
    }
  }
}
