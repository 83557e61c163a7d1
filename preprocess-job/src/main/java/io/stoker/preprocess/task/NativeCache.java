package io.stoker.preprocess.task;

import io.stoker.common.PrivateDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directory that native libraries are unpacked to before this process loads them. Nobody else
 * may write there: this process runs what lies in it.
 */
public final class NativeCache {
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
      Files.createDirectory(
          directory, PrivateDirectory.permissions(directory, PrivateDirectory.DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      // Another process made it, now or earlier, or somebody else did.
    } catch (IOException e) {
      throw unusable(directory, "it cannot be made: " + e.getMessage(), e);
    }
    try {
      String problem = PrivateDirectory.problem(directory);
      if (problem != null) {
        throw unusable(directory, problem, null);
      }
      if (!mayExecute(directory)) {
        throw unusable(directory, "nothing there may be executed (noexec)", null);
      }
    } catch (FileSystemException e) {
      throw unusable(directory, "it cannot be written: " + e.getMessage(), e);
    }
  }

  private static boolean mayExecute(Path directory) throws IOException {
    Path probe =
        Files.createTempFile(
            directory,
            "probe",
            "",
            PrivateDirectory.permissions(directory, PrivateDirectory.DIRECTORY));
    try {
      return Files.isExecutable(probe);
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  private static IOException unusable(Path directory, String why, @Nullable Exception cause) {
    return new IOException(
        "cannot unpack native libraries to %s: %s; name another place with -Djava.io.tmpdir"
            .formatted(directory, why),
        cause);
  }
}
