package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.reject.RejectReason.IMAGE_MISSING;
import static io.stoker.preprocess.reject.RejectReason.IMAGE_TOO_LARGE;

import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.StoreFault;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Local files, and objects of any Hadoop file system. A file system that is remote may be asked
 * again; a local one has no reason to answer otherwise the next time.
 */
final class HadoopStore implements ObjectStore {
  private final Configuration configuration;

  HadoopStore(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public byte[] get(MediaSource.Stored source, long maxBytes)
      throws IOException, SampleRejectedException {
    try (InputStream in = open(source)) {
      byte[] bytes = in.readNBytes((int) Math.min(maxBytes + 1, Integer.MAX_VALUE - 8));
      if (bytes.length > maxBytes) {
        throw new SampleRejectedException(
            IMAGE_TOO_LARGE,
            "expected at most %d bytes, found more in %s".formatted(maxBytes, source));
      }
      return bytes;
    } catch (FileNotFoundException | NoSuchFileException e) {
      throw new SampleRejectedException(IMAGE_MISSING, "no object at " + source);
    } catch (IOException e) {
      throw fault(e, source);
    }
  }

  private static IOException fault(IOException e, MediaSource.Stored source) {
    if (source.scheme().equals(Location.FILE)
        // Interrupted, but not the kind of it that a socket throws.
        || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))) {
      return e;
    }
    boolean forGood =
        e instanceof UnsupportedFileSystemException || e instanceof AccessControlException;
    return new StoreFault(
        forGood ? StoreFault.Kind.FINAL : StoreFault.ofConnection(e),
        "cannot get %s: %s".formatted(source, e.getMessage()),
        e);
  }

  private InputStream open(MediaSource.Stored source) throws IOException, SampleRejectedException {
    if (source.scheme().equals(Location.FILE)) {
      // Hadoop's own local file system refuses names with a colon.
      return Files.newInputStream(LocalFiles.resolve(source));
    }
    // Not from one string: that would be parsed as a URI.
    String authority = source.authority().isEmpty() ? null : source.authority();
    Path path = new Path(source.scheme(), authority, "/" + source.key());
    return path.getFileSystem(configuration).open(path);
  }
}
