package io.stoker.preprocess.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.reject.RejectReason;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.store.StoreFault;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Local files as objects, resolved as a manifest in their directory names them. */
class HadoopStoreTest {
  private final Path directory;

  HadoopStoreTest(@TempDir Path directory) {
    this.directory = directory;
    this.set = directory.resolve("data/set");
  }

  private final HadoopStore store = new HadoopStore(new Configuration(false));
  private final Path set;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(set.resolve("sub"));
    Files.writeString(set.resolve("a.jpg"), "hello");
    Files.writeString(directory.resolve("data/outside.jpg"), "outside");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deep field #1.jpg",
        "what?.jpg",
        "100%41.jpg",
        "%2e%2e",
        "a+b&c:d*[x]{a,b}.jpg",
        "trailing ",
        "back\\slash.jpg",
        "caf\u00e9.jpg",
        "cafe\u0301.jpg",
        "\uD83D\uDE80.jpg"
      })
  void namesAreTakenAsTheyAre(String name) throws Exception {
    Files.writeString(set.resolve(name), name);
    assertEquals(name, new String(get(name, 100), UTF_8));
  }

  @Test
  void unicodeFormsAreDifferentNames() throws Exception {
    Files.writeString(set.resolve("caf\u00e9.jpg"), "composed");
    assertRejected(RejectReason.IMAGE_MISSING, "cafe\u0301.jpg");
  }

  @Test
  void theLimitIsTheLongestThatIsAccepted() throws Exception {
    assertEquals("hello", new String(get("a.jpg", 5), UTF_8));
    SampleRejectedException e = assertThrows(SampleRejectedException.class, () -> get("a.jpg", 4));
    assertEquals(RejectReason.IMAGE_TOO_LARGE, e.reason());
    assertEquals(
        "expected at most 4 bytes, found more in file://%s/a.jpg".formatted(set), e.detail());
  }

  @Test
  void anEmptyFileIsAnObject() throws Exception {
    Files.createFile(set.resolve("empty.jpg"));
    assertEquals(0, get("empty.jpg", 5).length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none.jpg", "sub", "sub/", "none/a.jpg", "a.jpg/b.jpg", "."})
  void whatIsNoFileIsMissing(String reference) {
    SampleRejectedException e = assertRejected(RejectReason.IMAGE_MISSING, reference);
    assertEquals("no object at file://%s/%s".formatted(set, reference), e.detail());
  }

  @Test
  void aNameThatNoFileCanHaveIsMissing() {
    assertRejected(RejectReason.IMAGE_MISSING, "x".repeat(300));
    assertRejected(RejectReason.IMAGE_MISSING, "x/".repeat(3000));
  }

  @Test
  void aLinkThatStaysInsideTheRootIsFollowed() throws Exception {
    Files.createSymbolicLink(set.resolve("sub/link.jpg"), Path.of("../a.jpg"));
    assertEquals("hello", new String(get("sub/link.jpg", 5), UTF_8));
    Files.createSymbolicLink(directory.resolve("other"), set);
    assertEquals(
        "hello", new String(get("a.jpg", 5, settings(), directory.resolve("other")), UTF_8));
  }

  @Test
  void aLinkOutOfTheRootIsRefused() throws Exception {
    Files.createSymbolicLink(set.resolve("file.jpg"), directory.resolve("data/outside.jpg"));
    Files.createSymbolicLink(set.resolve("dir"), Path.of("/"));
    Files.createSymbolicLink(set.resolve("twice.jpg"), Path.of("file.jpg"));
    for (String reference : List.of("file.jpg", "twice.jpg", "dir/etc/passwd", "dir/etc")) {
      SampleRejectedException e = assertRejected(RejectReason.PATH_NOT_ALLOWED, reference);
      assertTrue(
          e.detail().startsWith("expected a file under its root, found file://" + set), e.detail());
    }
  }

  @Test
  void aLinkIntoAnAllowedRootIsFollowed() throws Exception {
    Path images = Files.createDirectories(directory.resolve("images"));
    Files.writeString(images.resolve("b.jpg"), "allowed");
    Files.createSymbolicLink(set.resolve("images"), images);
    assertRejected(RejectReason.PATH_NOT_ALLOWED, "images/b.jpg");
    FetchSettings allowed = settings(images.toString(), directory + "/none");
    assertEquals("allowed", new String(get("images/b.jpg", 10, allowed, set), UTF_8));
  }

  @Test
  void linksInALoopAndLinksToNothingAreMissing() throws Exception {
    Files.createSymbolicLink(set.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(set.resolve("dangling.jpg"), Path.of("none.jpg"));
    assertRejected(RejectReason.IMAGE_MISSING, "loop");
    assertRejected(RejectReason.IMAGE_MISSING, "loop/a.jpg");
    assertRejected(RejectReason.IMAGE_MISSING, "dangling.jpg");
  }

  @Test
  void aFileSystemThatDoesNotExistIsTheEnvironmentsFault() {
    MediaSource.Stored source = new MediaSource.Stored("nosuchfs", "host", "a.jpg", List.of(""));
    StoreFault fault = assertThrows(StoreFault.class, () -> store.get(source, 5));
    assertEquals(StoreFault.Kind.FINAL, fault.kind());
  }

  @ParameterizedTest
  @CsvSource({
    "java.net.ConnectException, UNREACHABLE",
    "java.net.SocketTimeoutException, BROKEN",
    "java.io.EOFException, BROKEN",
    "org.apache.hadoop.security.AccessControlException, FINAL"
  })
  void aRemoteFileSystemInTroubleIsAFaultOfItsKind(Class<IOException> type, StoreFault.Kind kind) {
    Configuration configuration = new Configuration(false);
    configuration.setClass("fs.troubled.impl", TroubledFileSystem.class, FileSystem.class);
    configuration.setBoolean("fs.troubled.impl.disable.cache", true);
    configuration.setClass("test.trouble", type, IOException.class);
    MediaSource.Stored source = new MediaSource.Stored("troubled", "host", "a.jpg", List.of(""));
    StoreFault fault =
        assertThrows(StoreFault.class, () -> new HadoopStore(configuration).get(source, 5));
    assertEquals(kind, fault.kind());
    assertTrue(
        String.valueOf(fault.getMessage()).startsWith("cannot get troubled://host/a.jpg: "),
        fault::toString);
  }

  @Test
  void anInterruptedReadIsNoFaultOfTheStore() {
    Configuration configuration = new Configuration(false);
    configuration.setClass("fs.troubled.impl", TroubledFileSystem.class, FileSystem.class);
    configuration.setBoolean("fs.troubled.impl.disable.cache", true);
    configuration.setClass("test.trouble", InterruptedIOException.class, IOException.class);
    MediaSource.Stored source = new MediaSource.Stored("troubled", "host", "a.jpg", List.of(""));
    assertThrows(InterruptedIOException.class, () -> new HadoopStore(configuration).get(source, 5));
  }

  /** Opens nothing, and says so with the exception of the configuration. */
  public static final class TroubledFileSystem extends RawLocalFileSystem {
    @Override
    public void initialize(URI name, Configuration configuration) {
      setConf(configuration);
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path, int bufferSize)
        throws IOException {
      throw ReflectionUtils.newInstance(
          getConf().getClass("test.trouble", IOException.class, IOException.class), getConf());
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path path) throws IOException {
      return open(path, 0);
    }
  }

  private static FetchSettings settings(String... allowedRoots) {
    return new FetchSettings(1, 1, 1, 1, "", List.of(allowedRoots));
  }

  private byte[] get(String reference, long maxBytes) throws Exception {
    return get(reference, maxBytes, settings(), set);
  }

  private byte[] get(String reference, long maxBytes, FetchSettings settings, Path manifests)
      throws Exception {
    MediaSource source =
        new MediaResolver(settings).resolve(reference, "file:" + manifests + "/m.jsonl");
    return store.get((MediaSource.Stored) source, maxBytes);
  }

  private SampleRejectedException assertRejected(RejectReason reason, String reference) {
    SampleRejectedException e =
        assertThrows(SampleRejectedException.class, () -> get(reference, 100), reference);
    assertEquals(reason, e.reason(), e.detail());
    return e;
  }
}
