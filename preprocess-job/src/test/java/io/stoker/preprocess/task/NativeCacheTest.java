package io.stoker.preprocess.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.Decoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory for native libraries is this user's alone, or refused. */
class NativeCacheTest {
  private final Path directory;

  NativeCacheTest(@TempDir Path parent) {
    this.directory = parent.resolve("cache");
  }

  private String refused() {
    return String.valueOf(
        assertThrows(IOException.class, () -> NativeCache.prepare(directory)).getMessage());
  }

  @Test
  void itIsPrivateAndEmptyAndMayBeThereAlready() throws IOException {
    NativeCache.prepare(directory);
    NativeCache.prepare(directory);
    assertEquals(
        "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void oneThatOthersMayWriteIsRefused() throws IOException {
    Files.createDirectory(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    String message = refused();
    assertTrue(message.contains("found rwxrwxrwx"), message);
    assertTrue(message.contains("-Djava.io.tmpdir"), message);
  }

  @Test
  void aLinkIsRefused() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolveSibling("elsewhere"));
    Files.createSymbolicLink(directory, elsewhere);
    String message = refused();
    assertTrue(message.contains("expected a directory"), message);
  }

  @Test
  void oneThatCannotBeMadeIsRefused() throws IOException {
    Files.writeString(directory.resolveSibling("file"), "x");
    IOException e =
        assertThrows(
            IOException.class,
            () -> NativeCache.prepare(directory.resolveSibling("file").resolve("cache")));
    assertTrue(String.valueOf(e.getMessage()).contains("cannot be made"), e.getMessage());
  }

  @Test
  void twoProcessesMayFillItAtOnce() throws Exception {
    Path tmp = Files.createDirectory(directory.resolveSibling("tmp"));
    List<Process> children = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      children.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-Xmx128m",
                  "-Dai.djl.offline=true",
                  "-Djava.io.tmpdir=" + tmp,
                  "-cp",
                  System.getProperty("java.class.path"),
                  Child.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(tmp.resolve("printed-" + i).toFile())
              .start());
    }
    for (int i = 0; i < 2; i++) {
      try {
        assertTrue(children.get(i).waitFor(3, TimeUnit.MINUTES), "no end");
      } finally {
        children.get(i).destroyForcibly();
      }
      String printed = Files.readString(tmp.resolve("printed-" + i));
      assertEquals(0, children.get(i).exitValue(), printed);
    }
    try (Stream<Path> files = Files.walk(tmp)) {
      List<Path> libraries = files.filter(file -> file.toString().contains(".so")).toList();
      assertTrue(libraries.size() > 1, libraries::toString);
      for (Path library : libraries) {
        assertTrue(library.toString().contains("stoker-native-"), library::toString);
      }
    }
  }

  /** A process that loads what the job loads. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      NativeCache.prepare();
      new Decoder(DecodeSettings.defaults()).close();
      LibUtils.checkStatus();
    }
  }
}
