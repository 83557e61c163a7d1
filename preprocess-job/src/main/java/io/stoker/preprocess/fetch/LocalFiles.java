package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.reject.RejectReason.IMAGE_MISSING;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Local files as objects: only regular ones, and symbolic links do not lead out of the roots. */
final class LocalFiles {
  /** Faults of a path that Java has no exception for, as the system's messages begin. */
  private static final List<String> FAULTS_OF_THE_PATH =
      List.of("Not a directory", "File name too long", "Too many levels of symbolic links");

  private LocalFiles() {}

  /**
   * The file, its links resolved.
   *
   * @throws SampleRejectedException if there is no such file or it lies elsewhere
   * @throws IOException if the file system cannot say
   */
  static Path resolve(MediaSource.Stored source) throws IOException, SampleRejectedException {
    Path file = real(source);
    for (String root : source.roots()) {
      Path directory = path(root);
      if (Files.isDirectory(directory) && file.startsWith(directory.toRealPath())) {
        if (!Files.isRegularFile(file)) {
          throw missing(source);
        }
        return file;
      }
    }
    throw Location.notAllowed(
        "expected a file under its root, found %s, which links to %s; add the target's root to image.allowed-roots if it is meant"
            .formatted(source, SafeText.reference(file.toString())));
  }

  private static Path real(MediaSource.Stored source) throws IOException, SampleRejectedException {
    try {
      return path(source.key()).toRealPath();
    } catch (NoSuchFileException e) {
      throw missing(source);
    } catch (FileSystemException e) {
      String reason = String.valueOf(e.getReason());
      if (FAULTS_OF_THE_PATH.stream().anyMatch(reason::startsWith)) {
        throw missing(source);
      }
      throw e;
    }
  }

  private static Path path(String key) throws IOException {
    try {
      return Path.of("/" + key);
    } catch (InvalidPathException e) {
      // The reference is valid Unicode: this process lacks a locale that can spell it.
      throw new IOException(
          "cannot spell a file name in this process's locale; run it with LC_ALL=C.UTF-8", e);
    }
  }

  private static SampleRejectedException missing(MediaSource.Stored source) {
    return new SampleRejectedException(IMAGE_MISSING, "no object at " + source);
  }
}
