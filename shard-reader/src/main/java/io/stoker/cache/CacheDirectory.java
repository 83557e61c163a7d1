package io.stoker.cache;

import io.stoker.common.PrivateDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Creates and checks the directory of a cache: nobody else may read or plant blocks. */
final class CacheDirectory {
  private CacheDirectory() {}

  /**
   * Makes a directory ready.
   *
   * @return its real path
   * @throws IOException if it belongs to someone else, or others may enter it
   */
  static Path prepare(Path directory) throws IOException {
    Files.createDirectories(
        directory, PrivateDirectory.permissions(directory, PrivateDirectory.DIRECTORY));
    Path real = directory.toRealPath();
    String problem = PrivateDirectory.problem(real);
    if (problem != null) {
      throw new IOException("cache directory " + real + ": " + problem);
    }
    return real;
  }

  /** Creates a file for its owner only, if it does not exist. */
  static void createIfAbsent(Path file) throws IOException {
    try {
      Files.createFile(file, PrivateDirectory.permissions(file, PrivateDirectory.FILE));
    } catch (FileAlreadyExistsException e) {
      // Another rank has created it: that is as good.
    }
  }

  /** Makes renames in a directory durable. */
  static void force(Path directory) throws IOException {
    if (PrivateDirectory.isPosix(directory)) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
