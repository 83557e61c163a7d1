package io.stoker.preprocess.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An output object that becomes visible only by {@link #publish}. Closing one that was not
 * published aborts its upload: closing the stream itself would publish a truncated object.
 */
public final class StagedFile implements Closeable {
  private final FileSystem fileSystem;
  private final Path path;
  private final FSDataOutputStream out;
  private boolean ended;

  StagedFile(FileSystem fileSystem, Path path, FSDataOutputStream out) {
    this.fileSystem = fileSystem;
    this.path = path;
    this.out = out;
  }

  /** Where to write; must not be closed by the caller. */
  public OutputStream stream() {
    return out;
  }

  /** Completes the upload. */
  public void publish() throws IOException {
    // Set only after success: a failed close must be followed by an abort.
    out.close();
    ended = true;
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    // An interrupted thread could not abort: the client gives up before it sends anything.
    boolean interrupted = Thread.interrupted();
    try {
      abort();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void abort() throws IOException {
    if (out.hasCapability("fs.capability.outputstream.abortable")) {
      out.abort();
    } else {
      try {
        out.close();
      } finally {
        fileSystem.delete(path, false);
      }
    }
  }
}
