package io.stoker.preprocess.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dataset's directory on any Hadoop file system. Thread-safe. */
public final class OutputStore {
  /** What the names of probes start with. */
  public static final String PROBE = "_probe-";

  private static final Logger LOG = LoggerFactory.getLogger(OutputStore.class);
  private static final String LOCAL = "file";
  private static final int TRIES = 3;
  private static final String CONDITIONAL = "fs.option.create.conditional.overwrite";
  private static final String NO_CHECKS = "fs.s3a.create.performance";

  private final FileSystem fileSystem;
  private final Path root;

  /**
   * An object in the dataset's directory.
   *
   * @param name path relative to the dataset
   * @param bytes length
   * @param modified when it was written, by the store's clock
   */
  public record StoredObject(String name, long bytes, Instant modified) {}

  /**
   * @param root directory of the dataset; need not exist
   */
  public OutputStore(String root, Configuration configuration) throws IOException {
    Path path = new Path(root);
    FileSystem found = path.getFileSystem(configuration);
    // The local file system would put a hidden .crc file beside every file.
    this.fileSystem =
        found instanceof ChecksumFileSystem checksummed ? checksummed.getRawFileSystem() : found;
    this.root = found.makeQualified(path);
  }

  /** Full URI of the directory or, with a name, of an object in it. */
  public String uri(String... name) {
    return name.length == 0 ? root.toString() : path(name[0]).toString();
  }

  private Path path(String name) {
    return name.isEmpty() ? root : new Path(root, name);
  }

  /**
   * Starts an object. Its name must be unique to the attempt, because nothing checks it. Object
   * stores show nothing before {@link StagedFile#publish}; other file systems show the file grow.
   */
  public StagedFile stage(String name) throws IOException {
    Path path = path(name);
    FSDataOutputStreamBuilder<?, ?> builder =
        fileSystem.createFile(path).recursive().overwrite(true);
    builder.opt(NO_CHECKS, true);
    return new StagedFile(fileSystem, path, builder.build());
  }

  /** The whole object, or null when there is none. For small objects only. */
  public byte @Nullable [] read(String name) throws IOException {
    try (FSDataInputStream in = fileSystem.open(path(name))) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /** Length of an object in bytes, or -1 when there is none. */
  public long length(String name) throws IOException {
    try {
      return fileSystem.getFileStatus(path(name)).getLen();
    } catch (FileNotFoundException e) {
      return -1;
    }
  }

  /** Every object under a name, at any depth; none when there is nothing. */
  public List<StoredObject> list(String name) throws IOException {
    Path path = path(name);
    FileNotFoundException vanished = new FileNotFoundException(path.toString());
    for (int i = 0; i < TRIES; i++) {
      try {
        return list(path);
      } catch (FileNotFoundException e) {
        // Nothing is there, or a directory further down was removed while it was being listed.
        if (!fileSystem.exists(path)) {
          return List.of();
        }
        vanished = e;
      }
    }
    throw vanished;
  }

  private List<StoredObject> list(Path path) throws IOException {
    List<StoredObject> objects = new ArrayList<>();
    if (LOCAL.equals(root.toUri().getScheme())) {
      walk(path, objects);
      return objects;
    }
    RemoteIterator<LocatedFileStatus> files = fileSystem.listFiles(path, true);
    while (files.hasNext()) {
      objects.add(stored(files.next()));
    }
    return objects;
  }

  /**
   * Hadoop's own listing of local files runs {@code ls} for every file, and fails for good when
   * another job removes a file meanwhile.
   */
  private void walk(Path path, List<StoredObject> objects) throws IOException {
    for (FileStatus status : fileSystem.listStatus(path)) {
      if (status.isDirectory()) {
        walk(status.getPath(), objects);
      } else {
        objects.add(stored(status));
      }
    }
  }

  private StoredObject stored(FileStatus file) {
    String relative = root.toUri().relativize(file.getPath().toUri()).getPath();
    return new StoredObject(
        relative, file.getLen(), Instant.ofEpochMilli(file.getModificationTime()));
  }

  /** Removes everything under a name. */
  public void deleteAll(String name) throws IOException {
    fileSystem.delete(path(name), true);
  }

  /**
   * Tries whether the store does what a commit needs: write, refuse to replace, read, delete.
   *
   * @throws IOException if it does not; the message says what to do
   */
  public void probe(String jobId) throws IOException {
    // Object stores have no directories: asking S3 would be a request for nothing.
    if (!S3aUri.SCHEME.equals(root.toUri().getScheme()) && isFile()) {
      throw new IOException("expected a directory or nothing there, found a file");
    }
    // Beside the staging area, which another job may be clearing at this moment.
    String name = PROBE + jobId;
    byte[] first = {1};
    try {
      boolean created = createIfAbsent(name, first);
      boolean replaced = createIfAbsent(name, new byte[] {2});
      if (!created || replaced || !Arrays.equals(first, read(name))) {
        throw new IOException(
            "the store at %s replaces objects that must not be replaced (it ignores If-None-Match): two jobs could overwrite each other; use a store with conditional writes"
                .formatted(uri()));
      }
    } finally {
      delete(name);
    }
  }

  private boolean isFile() throws IOException {
    try {
      return fileSystem.getFileStatus(root).isFile();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Writes an object over whatever is there; for small objects that only one attempt writes. */
  public void replace(String name, byte[] bytes) throws IOException {
    StagedFile file = stage(name);
    write(file, bytes);
  }

  /** Uploads that were begun here and neither completed nor aborted. */
  public PendingUploads pendingUploads() {
    return new PendingUploads(fileSystem, root);
  }

  /** Removes an object if it exists. */
  public void delete(String name) throws IOException {
    fileSystem.delete(path(name), false);
  }

  /** Removes an object that nothing refers to. If that fails it stays as an orphan. */
  public void discard(String name) {
    try {
      delete(name);
    } catch (IOException e) {
      LOG.warn("cannot remove {}, which nothing refers to: {}", uri(name), e.toString());
    }
  }

  /**
   * Writes an object unless there is one of that name: exactly one of several writers succeeds.
   *
   * @return whether the object holds these bytes now; an earlier try of this call may have written
   *     them
   * @throws CommitStateUnknownException if neither success nor failure can be established
   */
  public boolean createIfAbsent(String name, byte[] bytes) throws IOException {
    IOException failure = new FileAlreadyExistsException(uri(name));
    for (int i = 0; i < TRIES; i++) {
      try {
        if (tryCreate(path(name), bytes)) {
          return true;
        }
      } catch (IOException e) {
        failure = e;
      }
      // The write may have succeeded and its answer been lost: only the object itself tells.
      try {
        byte[] found = read(name);
        if (found != null) {
          return Arrays.equals(found, bytes);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
        break;
      }
      // It was not written, or another job has removed it since. Writing again replaces nothing.
    }
    throw new CommitStateUnknownException(uri(name), failure);
  }

  private boolean tryCreate(Path path, byte[] bytes) throws IOException {
    return switch (fileSystem.getUri().getScheme()) {
      case S3aUri.SCHEME -> {
        FSDataOutputStreamBuilder<?, ?> builder = fileSystem.createFile(path);
        builder.opt(CONDITIONAL, true);
        builder.opt(NO_CHECKS, true);
        write(new StagedFile(fileSystem, path, builder.build()), bytes);
        yield true;
      }
      case LOCAL -> createLocally(java.nio.file.Path.of(path.toUri().getPath()), bytes);
      default -> {
        Path temporary = new Path(root, "." + path.getName() + "." + UUID.randomUUID());
        FSDataOutputStream out = fileSystem.create(temporary, false);
        write(new StagedFile(fileSystem, temporary, out), bytes);
        yield fileSystem.rename(temporary, path);
      }
    };
  }

  private static void write(StagedFile file, byte[] bytes) throws IOException {
    try (file) {
      file.stream().write(bytes);
      file.publish();
    }
  }

  /** Forces the file to disk, so that the name never stands for an empty file after a power cut. */
  private static void writeDurably(java.nio.file.Path path, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  /** A hard link fails where the name exists, and shows the whole file or nothing. */
  private static boolean createLocally(java.nio.file.Path path, byte[] bytes) throws IOException {
    java.nio.file.Path temporary =
        path.resolveSibling("." + path.getFileName() + "." + UUID.randomUUID());
    Files.createDirectories(path.getParent());
    try {
      writeDurably(temporary, bytes);
      Files.createLink(path, temporary);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
