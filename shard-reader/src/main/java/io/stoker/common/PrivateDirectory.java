package io.stoker.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Directories that belong to the user of this process and are closed to everybody else. */
public final class PrivateDirectory {
  /** Permissions of such a directory. */
  public static final String DIRECTORY = "rwx------";

  /** Permissions of the files in it. */
  public static final String FILE = "rw-------";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString(DIRECTORY);

  private PrivateDirectory() {}

  /**
   * Says what keeps a directory from being private.
   *
   * @param directory a directory in which this process may create files; a symbolic link is not
   *     followed
   * @return null if it is private, or if its file system has neither owners nor permissions
   * @throws IOException if its attributes cannot be read, or nothing can be created in it
   */
  public static @Nullable String problem(Path directory) throws IOException {
    if (!isPosix(directory)) {
      return null;
    }
    PosixFileAttributes found =
        Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isDirectory()) {
      return "expected a directory, found something else";
    }
    UserPrincipal self = self(directory);
    if (!self.equals(found.owner())) {
      return "expected to belong to "
          + self.getName()
          + ", it belongs to "
          + found.owner().getName();
    }
    Set<PosixFilePermission> others = EnumSet.copyOf(found.permissions());
    others.removeAll(OWNER_ONLY);
    return others.isEmpty()
        ? null
        : "expected permissions "
            + DIRECTORY
            + ", found "
            + PosixFilePermissions.toString(found.permissions());
  }

  /** Java does not tell the user of the process. The owner of a new file is that user. */
  private static UserPrincipal self(Path directory) throws IOException {
    Path probe = Files.createTempFile(directory, "probe-", ".tmp", permissions(directory, FILE));
    try {
      return Files.getOwner(probe);
    } finally {
      Files.delete(probe);
    }
  }

  /**
   * What {@link Files} is to set on a new file or directory; nothing where there are no such
   * permissions.
   *
   * @param path the file, or another one of its file system
   */
  public static FileAttribute<?>[] permissions(Path path, String permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** Whether the file system of a path has owners and permissions as POSIX knows them. */
  public static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
