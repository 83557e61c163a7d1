package io.stoker.preprocess.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Starts processes and ends all of them, with their children, when it is closed or when this JVM
 * ends. What they print goes to files: nobody has to read pipes. Thread-safe.
 */
final class Processes implements AutoCloseable {
  private static final Duration PATIENCE_AT_END = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 50;

  private final Path logs;
  private final AtomicInteger count = new AtomicInteger();
  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::endAll, "end-processes");

  /** How a process ended. */
  record Ended(int exitCode, String stdout, String stderr) {
    @Override
    public String toString() {
      return "exit code %d%n%s%n%s".formatted(exitCode, stderr, stdout);
    }
  }

  /** A process and the files it prints to. */
  record Started(Process process, Path stdout, Path stderr) {
    String printed() {
      return read(stdout) + read(stderr);
    }
  }

  /**
   * @param logs directory for what the processes print
   */
  Processes(Path logs) {
    this.logs = logs;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts a process whose environment is this one's and {@code environment}. */
  Started start(List<String> command, Map<String, String> environment) {
    String name =
        "%03d-%s".formatted(count.incrementAndGet(), Path.of(command.get(0)).getFileName());
    Path stdout = logs.resolve(name + ".out");
    Path stderr = logs.resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(stdout.toFile()).redirectError(stderr.toFile());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      running.add(process);
      process.getOutputStream().close();
      return new Started(process, stdout, stderr);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a process to its end; ends it and fails if that takes longer than {@code timeout}. */
  Ended run(List<String> command, Map<String, String> environment, Duration timeout) {
    return awaitEnd(start(command, environment), timeout);
  }

  /**
   * Waits for the end of a process; ends it and fails if that takes longer than {@code timeout}.
   */
  Ended awaitEnd(Started started, Duration timeout) {
    try {
      if (!started.process().waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("no end after %s:%n%s".formatted(timeout, started.printed()));
      }
      return new Ended(
          started.process().exitValue(), read(started.stdout()), read(started.stderr()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      end(started.process());
    }
  }

  /** Waits until a started process is ready; fails if it ends or takes too long. */
  static void await(Started started, Duration timeout, BooleanSupplier ready) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!ready.getAsBoolean()) {
      if (!started.process().isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError("not ready:%n%s".formatted(started.printed()));
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }

  /** Ends a process and its children, politely first and then by force. */
  void end(Process process) {
    List<ProcessHandle> all =
        java.util.stream.Stream.concat(
                process.descendants(), java.util.stream.Stream.of(process.toHandle()))
            .toList();
    all.forEach(ProcessHandle::destroy);
    for (ProcessHandle handle : all) {
      try {
        handle.onExit().get(PATIENCE_AT_END.toMillis(), TimeUnit.MILLISECONDS);
      } catch (java.util.concurrent.TimeoutException | java.util.concurrent.ExecutionException e) {
        handle.destroyForcibly();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        handle.destroyForcibly();
      }
    }
    running.remove(process);
  }

  private void endAll() {
    List.copyOf(running).forEach(this::end);
  }

  @Override
  public void close() {
    endAll();
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private static String read(Path file) {
    try {
      // Damaged characters must not hide what a process said.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
