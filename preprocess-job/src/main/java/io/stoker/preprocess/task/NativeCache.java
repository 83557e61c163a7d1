package io.stoker.preprocess.task;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * The directory that native libraries are unpacked to before this process loads them: nobody else
 * may write there, or he could run what he likes in it.
 */
public final class NativeCache {
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  /** What each library calls its directory, and where below ours it is. */
  private static final Map<String, String> DIRECTORIES =
      Map.of("org.bytedeco.javacpp.cachedir", "javacpp", "DJL_CACHE_DIR", "djl");

  private NativeCache() {}

  /**
   * Makes the directory under {@code java.io.tmpdir} the one of all libraries whose own settings do
   * not say otherwise. Must be called before the first of them is loaded.
   */
  public static void prepare() throws IOException {
    Path directory =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "stoker-native-" + System.getProperty("user.name").replaceAll("\\W", "_"));
    prepare(directory);
    DIRECTORIES.forEach(
        (property, name) -> {
          if (System.getProperty(property) == null && System.getenv(property) == null) {
            System.setProperty(property, directory.resolve(name).toString());
          }
        });
  }

  static void prepare(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
    } catch (FileAlreadyExistsException e) {
      // By an earlier process or by another one right now; or by somebody else.
    } catch (IOException e) {
      throw unusable(directory, "it cannot be made: " + e.getMessage(), e);
    }
    Path probe = null;
    try {
      PosixFileAttributes found =
          Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      probe =
          Files.createTempFile(
              directory, "probe", "", PosixFilePermissions.asFileAttribute(PRIVATE));
      String me = Files.getOwner(probe).getName();
      if (!found.isDirectory()
          || !found.owner().getName().equals(me)
          || !found.permissions().equals(PRIVATE)) {
        throw unusable(
            directory,
            "expected a directory of %s alone (rwx------), found %s of %s"
                .formatted(
                    me,
                    PosixFilePermissions.toString(found.permissions()),
                    found.owner().getName()),
            null);
      }
      if (!Files.isExecutable(probe)) {
        throw unusable(directory, "nothing there may be executed (noexec)", null);
      }
    } catch (java.nio.file.FileSystemException e) {
      throw unusable(directory, "it cannot be written: " + e.getMessage(), e);
    } finally {
      if (probe != null) {
        Files.deleteIfExists(probe);
      }
    }
  }

  private static IOException unusable(
      Path directory, String why, @org.jspecify.annotations.Nullable Exception cause) {
    return new IOException(
        "cannot unpack native libraries to %s: %s; name another place with -Djava.io.tmpdir"
            .formatted(directory, why),
        cause);
  }
}
