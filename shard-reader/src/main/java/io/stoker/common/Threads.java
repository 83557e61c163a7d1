package io.stoker.common;

import java.io.InterruptedIOException;

/** Threads that do not keep a process alive, and what to do when one is interrupted. */
public final class Threads {
  private Threads() {}

  /** A daemon thread, not started yet. */
  public static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** An interrupt as an exception of I/O; the flag of the current thread is set again. */
  public static InterruptedIOException interrupted(String message, InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException(message);
    interrupted.initCause(cause);
    return interrupted;
  }
}
