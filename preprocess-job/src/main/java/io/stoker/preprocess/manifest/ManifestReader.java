package io.stoker.preprocess.manifest;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of one split. Only 0x0A ends a line; a carriage return before it is dropped. A
 * line longer than the limit is cut after {@code maxLineBytes + 1} bytes, which the parser then
 * refuses (it counts as ended), and the rest of the manifest is still read. Not thread-safe.
 */
public final class ManifestReader implements Closeable {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int HEAD_BYTES = 512;
  private static final byte[] LINE_END = {'\n'};

  private final Split split;
  private final int maxLineBytes;
  private final FSDataInputStream in;
  private final LineReader lines;
  private final Text buffer = new Text();
  private final MessageDigest digest = Sha256.digest();
  private long position;
  private long lineNumber;
  private long records;

  private ManifestReader(Split split, int maxLineBytes, FSDataInputStream in, long position) {
    this.split = split;
    this.maxLineBytes = maxLineBytes;
    this.in = in;
    this.lines = new LineReader(in, BUFFER_BYTES, LINE_END);
    this.position = position;
    this.lineNumber = split.firstLine() - 1;
  }

  /**
   * Opens a split.
   *
   * @param maxLineBytes longest line that is returned whole
   * @throws ManifestException if the manifest changed since it was listed or is no JSON lines
   */
  public static ManifestReader open(Split split, int maxLineBytes, Configuration configuration)
      throws IOException {
    Path path = new Path(split.source().uri());
    FileSystem found = path.getFileSystem(configuration);
    // The checksums of the local file system need names without a colon.
    FileSystem fileSystem =
        found instanceof ChecksumFileSystem checksummed ? checksummed.getRawFileSystem() : found;
    refuseChanges(split.source(), fileSystem, path);
    FSDataInputStream in = fileSystem.open(path);
    try {
      if (split.start() == 0) {
        refuseForeignTypes(path, in);
      }
      // The byte before the range decides whether a line starts at its first byte.
      long seek = Math.max(0, split.start() - 1);
      in.seek(seek);
      ManifestReader reader = new ManifestReader(split, maxLineBytes, in, seek);
      if (split.start() > 0) {
        // The line that starts before the split is skipped. If it is longer than the split, no line
        // starts here, and its end need not be found.
        int most = (int) Math.min(Integer.MAX_VALUE, split.end() - seek);
        reader.position += reader.lines.readLine(reader.buffer, 1, most);
      }
      return reader;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private static void refuseChanges(Manifest listed, FileSystem fileSystem, Path path)
      throws IOException {
    FileStatus now;
    try {
      now = fileSystem.getFileStatus(path);
    } catch (FileNotFoundException e) {
      throw new ManifestException("manifest %s was removed during the job".formatted(path));
    }
    if (now.getLen() != listed.bytes()) {
      throw new ManifestException(
          "manifest %s changed during the job: expected %d bytes, found %d"
              .formatted(path, listed.bytes(), now.getLen()));
    }
  }

  private static void refuseForeignTypes(Path path, FSDataInputStream in) throws IOException {
    byte[] head = in.readNBytes(HEAD_BYTES);
    String type = ManifestType.foreign(head);
    if (type != null) {
      throw new ManifestException(
          "manifest %s is not JSON lines: expected one JSON object per line, found %s"
              .formatted(path, type));
    }
  }

  /** The next line that is not blank, or null after the last one that starts in the split. */
  public @Nullable ManifestLine next() throws IOException {
    while (position < split.end()) {
      long offset = position;
      int consumed = lines.readLine(buffer, maxLineBytes + 2);
      if (consumed == 0) {
        return null;
      }
      position += consumed;
      lineNumber++;
      byte[] bytes = Arrays.copyOf(buffer.getBytes(), contentLength());
      if (!isBlank(bytes)) {
        records++;
        digest.update(bytes);
        digest.update(LINE_END);
        Provenance provenance = new Provenance(split.source().uri(), offset, lineNumber);
        return new ManifestLine(provenance, bytes, consumed > buffer.getLength());
      }
    }
    return null;
  }

  private int contentLength() {
    int length = buffer.getLength();
    if (length > 0 && buffer.getBytes()[length - 1] == '\r') {
      length--;
    }
    return Math.min(length, maxLineBytes + 1);
  }

  private static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  /** Reads the split to its end and sums it up. */
  public SplitSummary summarize() throws IOException {
    ManifestLine line = next();
    while (line != null) {
      line = next();
    }
    return summary();
  }

  /** The sum of what was read, once {@link #next} has returned null. */
  public SplitSummary summary() {
    return new SplitSummary(lineNumber - (split.firstLine() - 1), records, Sha256.hex(digest));
  }

  /** One hash for the content of a manifest, from those of its splits in order. */
  public static String contentHash(Iterable<SplitSummary> splits) {
    MessageDigest digest = Sha256.digest();
    for (SplitSummary split : splits) {
      digest.update(split.sha256().getBytes(StandardCharsets.US_ASCII));
    }
    return Sha256.hex(digest);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /**
   * What one pass over a split found.
   *
   * @param lines lines that start in the split, blank ones included
   * @param records lines that are not blank
   * @param sha256 hash of the lines, in hex; it does not depend on where they are stored
   */
  public record SplitSummary(long lines, long records, String sha256) implements Serializable {}
}
