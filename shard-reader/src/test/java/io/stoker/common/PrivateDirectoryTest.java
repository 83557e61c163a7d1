package io.stoker.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
  @Test
  void onlyTheOwnerMayEnter(@TempDir Path temporary) throws IOException {
    Path directory = temporary.resolve("d");
    Files.createDirectory(
        directory, PrivateDirectory.permissions(directory, PrivateDirectory.DIRECTORY));
    assertNull(PrivateDirectory.problem(directory));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x---"));
    assertEquals(
        "expected permissions rwx------, found rwx--x---", PrivateDirectory.problem(directory));
    try (var files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void linksAreNotFollowed(@TempDir Path temporary) throws IOException {
    Path target = Files.createDirectory(temporary.resolve("target"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), target);
    assertEquals("expected a directory, found something else", PrivateDirectory.problem(link));
  }
}
