package io.stoker.preprocess.manifest;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Finds the manifests that patterns name, and cuts them into splits. */
public final class ManifestLister {
  private ManifestLister() {}

  /**
   * Lists the manifests that match.
   *
   * @param patterns paths, directories (every {@code .jsonl} in them) or globs on any Hadoop file
   *     system
   * @return each manifest once, sorted by URI, so that the order of patterns does not matter
   * @throws ManifestException if a pattern matches nothing or a manifest is empty
   */
  public static List<Manifest> list(List<String> patterns, Configuration configuration)
      throws IOException {
    List<Manifest> manifests = new ArrayList<>();
    for (String pattern : patterns) {
      Path path = new Path(pattern);
      FileSystem fileSystem = path.getFileSystem(configuration);
      for (FileStatus status : matches(fileSystem, path)) {
        if (status.getLen() == 0) {
          throw new ManifestException("manifest %s is empty".formatted(status.getPath()));
        }
        manifests.add(new Manifest(status.getPath().toString(), status.getLen()));
      }
    }
    return manifests.stream().distinct().sorted(Comparator.comparing(Manifest::uri)).toList();
  }

  private static List<FileStatus> matches(FileSystem fileSystem, Path pattern) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    FileStatus @Nullable [] found = fileSystem.globStatus(pattern);
    for (FileStatus status : found == null ? new FileStatus[0] : found) {
      if (status.isFile()) {
        files.add(status);
      } else {
        files.addAll(children(fileSystem, status.getPath()));
      }
    }
    if (files.isEmpty()) {
      throw new ManifestException(
          "no manifest found: expected at least one .jsonl object at %s".formatted(pattern));
    }
    return files;
  }

  private static List<FileStatus> children(FileSystem fileSystem, Path directory)
      throws IOException {
    try {
      return Arrays.stream(
              fileSystem.listStatus(directory, child -> child.getName().endsWith(".jsonl")))
          .filter(FileStatus::isFile)
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  /**
   * Cuts manifests into byte ranges.
   *
   * @param splitBytes length of a range; the last one of a manifest may be shorter
   */
  public static List<Split> split(List<Manifest> manifests, long splitBytes) {
    List<Split> splits = new ArrayList<>();
    for (int i = 0; i < manifests.size(); i++) {
      Manifest manifest = manifests.get(i);
      for (long start = 0; start < manifest.bytes(); start += splitBytes) {
        long end = Math.min(manifest.bytes(), start + splitBytes);
        splits.add(new Split(i, manifest, start, end, 1));
      }
    }
    return splits;
  }
}
