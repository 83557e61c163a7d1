package io.stoker.preprocess.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files that can be made to wait, and to fail as a full disk does. Its scheme is gated. */
public final class GatedFileSystem extends RawLocalFileSystem {
  private static final int MANY = 1 << 20;
  private static final URI URI_OF_ALL = URI.create("gated:///");

  /** Each write takes a permit. */
  public static final Semaphore WRITES = new Semaphore(MANY);

  /** Each close takes a permit. */
  public static final Semaphore CLOSES = new Semaphore(MANY);

  private static volatile long room = Long.MAX_VALUE;
  private static volatile boolean closesFail;

  public static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.setClass(
        "fs.gated.impl", GatedFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    return configuration;
  }

  public static void shut(Semaphore gate) {
    gate.drainPermits();
  }

  public static void open(Semaphore gate) {
    gate.release(MANY);
  }

  /** How many bytes more each file may have before the disk is full. */
  public static void room(long bytes) {
    room = bytes;
  }

  /** Whether the next close fails, as an upload that cannot be completed. */
  public static void nextCloseFails(boolean fails) {
    closesFail = fails;
  }

  @Override
  public URI getUri() {
    return URI_OF_ALL;
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    OutputStream file =
        super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
    return new FSDataOutputStream(new Gated(file), null);
  }

  private static void pass(Semaphore gate) throws IOException {
    try {
      gate.acquire();
    } catch (InterruptedException e) {
      InterruptedIOException interrupted = new InterruptedIOException("at the gate");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private static final class Gated extends FilterOutputStream {
    private long written;

    Gated(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      pass(WRITES);
      written += length;
      if (written > room) {
        throw new IOException("No space left on device");
      }
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      pass(CLOSES);
      if (closesFail) {
        closesFail = false;
        throw new IOException("cannot be completed");
      }
      super.close();
    }
  }
}
