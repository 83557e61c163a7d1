package io.stoker.preprocess.manifest;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests in real directories. */
class ManifestListerTest {
  private final Path directory;

  ManifestListerTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @BeforeEach
  void write() throws IOException {
    for (String name : List.of("b.jsonl", "a.jsonl", "notes.txt", "sub/c.jsonl")) {
      Files.createDirectories(directory.resolve(name).getParent());
      Files.writeString(directory.resolve(name), "{}\n");
    }
  }

  @Test
  void aDirectoryGivesItsJsonlFilesOnly() throws IOException {
    // A directory may have such a name too.
    Files.createDirectories(directory.resolve("directory.jsonl"));
    assertEquals(List.of("a.jsonl", "b.jsonl"), list(""));
  }

  @Test
  void globsAndListsGiveEachManifestOnceInOneOrder() throws IOException {
    assertEquals(List.of("a.jsonl", "b.jsonl"), list("*.jsonl"));
    assertEquals(List.of("a.jsonl", "b.jsonl"), list("{b,a}.jsonl"));
    assertEquals(List.of("sub/c.jsonl"), list("s?b"));
    assertEquals(
        List.of("a.jsonl", "b.jsonl", "sub/c.jsonl"), list("sub", "b.jsonl", "[ab].jsonl", "*b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"with space #1?.jsonl", "100%41.jsonl", "a:b.jsonl", "ünïcödé.jsonl"})
  void namesAreTakenAsTheyAre(String name) throws IOException {
    Path other = Files.createDirectories(directory.resolve("special"));
    Files.writeString(other.resolve(name), "{\"a\":1}\n");
    List<Manifest> manifests = manifests("special");
    assertTrue(manifests.get(0).uri().endsWith("/special/" + name), manifests.get(0).uri());
    try (ManifestReader reader = open(manifests.get(0))) {
      assertEquals(7, requireNonNull(reader.next()).bytes().length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none.jsonl", "none/*.jsonl", "empty"})
  void nothingFoundIsAnErrorThatNamesThePattern(String pattern) throws IOException {
    Files.createDirectories(directory.resolve("empty"));
    ManifestException e = assertThrows(ManifestException.class, () -> list(pattern));
    assertEquals(
        "no manifest found: expected at least one .jsonl object at %s/%s"
            .formatted(directory, pattern),
        e.getMessage());
  }

  @Test
  void onePatternThatFindsNothingIsAnErrorThoughOthersDo() {
    assertThrows(ManifestException.class, () -> list("a.jsonl", "none.jsonl"));
  }

  @Test
  void anEmptyManifestIsAnError() throws IOException {
    Files.createFile(directory.resolve("c.jsonl"));
    ManifestException e = assertThrows(ManifestException.class, () -> list(""));
    assertEquals("manifest file:%s/c.jsonl is empty".formatted(directory), e.getMessage());
  }

  @Test
  void aManifestOfAnotherLengthIsNoticed() throws IOException {
    Manifest manifest = manifests("a.jsonl").get(0);
    Files.writeString(directory.resolve("a.jsonl"), "{}\n{}\n");
    ManifestException e = assertThrows(ManifestException.class, () -> open(manifest).close());
    assertEquals(
        "manifest file:%s/a.jsonl changed during the job: expected 3 bytes, found 6"
            .formatted(directory),
        e.getMessage());
  }

  @Test
  void aManifestThatWasRemovedIsNoticed() throws IOException {
    Manifest manifest = manifests("a.jsonl").get(0);
    Files.delete(directory.resolve("a.jsonl"));
    ManifestException e = assertThrows(ManifestException.class, () -> open(manifest).close());
    assertEquals(
        "manifest file:%s/a.jsonl was removed during the job".formatted(directory), e.getMessage());
  }

  @Test
  void splitsCoverEveryByteOnceInTheOrderOfTheManifests() {
    List<Manifest> manifests = List.of(new Manifest("file:/a", 10), new Manifest("file:/b", 3));
    for (long splitBytes = 1; splitBytes <= 11; splitBytes++) {
      long[] at = {0, 0};
      int manifest = 0;
      for (Split split : ManifestLister.split(manifests, splitBytes)) {
        assertTrue(split.manifest() >= manifest);
        manifest = split.manifest();
        assertEquals(manifests.get(manifest), split.source());
        assertEquals(at[manifest], split.start());
        assertTrue(split.end() - split.start() <= splitBytes);
        at[manifest] = split.end();
      }
      assertEquals(10, at[0]);
      assertEquals(3, at[1]);
    }
  }

  private List<Manifest> manifests(String... patterns) throws IOException {
    List<String> paths = Arrays.stream(patterns).map(p -> directory + "/" + p).toList();
    return ManifestLister.list(paths, new Configuration(false));
  }

  private List<String> list(String... patterns) throws IOException {
    String prefix = "file:" + directory + "/";
    return manifests(patterns).stream().map(m -> m.uri().substring(prefix.length())).toList();
  }

  private static ManifestReader open(Manifest manifest) throws IOException {
    Split split = new Split(0, manifest, 0, manifest.bytes(), 1);
    return ManifestReader.open(split, 100, new Configuration(false));
  }
}
