package io.stoker.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/** Creates and checks the directory of a cache: nobody else may read or plant blocks. */
final class CacheDirectory {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private CacheDirectory() {}

  /**
   * Makes a directory ready.
   *
   * @return its real path
   * @throws IOException if it belongs to someone else, or others may enter it
   */
  static Path prepare(Path directory) throws IOException {
    Files.createDirectories(directory, permissions(directory, "rwx------"));
    Path real = directory.toRealPath();
    if (isPosix(real)) {
      checkOwner(real);
      Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(real));
      others.removeAll(OWNER_ONLY);
      if (!others.isEmpty()) {
        throw new IOException(
            "cache directory "
                + real
                + ": expected permissions rwx------, found "
                + PosixFilePermissions.toString(Files.getPosixFilePermissions(real)));
      }
    }
    return real;
  }

  private static void checkOwner(Path directory) throws IOException {
    // Java does not tell who one is; the owner of a new file does.
    Path probe =
        Files.createTempFile(directory, "probe-", ".tmp", permissions(directory, "rw-------"));
    try {
      UserPrincipal self = Files.getOwner(probe);
      UserPrincipal owner = Files.getOwner(directory);
      if (!self.equals(owner)) {
        throw new IOException(
            "cache directory "
                + directory
                + ": expected to belong to "
                + self.getName()
                + ", it belongs to "
                + owner.getName());
      }
    } finally {
      Files.delete(probe);
    }
  }

  /** Creates a file for its owner only, if it does not exist. */
  static void createIfAbsent(Path file) throws IOException {
    try {
      Files.createFile(file, permissions(file, "rw-------"));
    } catch (FileAlreadyExistsException e) {
      // As well.
    }
  }

  /** What {@link Files} shall set on a new file; nothing where there are no such permissions. */
  static FileAttribute<?>[] permissions(Path path, String permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Makes renames in a directory durable. */
  static void force(Path directory) throws IOException {
    if (isPosix(directory)) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
