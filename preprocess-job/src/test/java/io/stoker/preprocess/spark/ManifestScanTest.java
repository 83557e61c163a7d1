package io.stoker.preprocess.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stoker.preprocess.manifest.Manifest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of the first pass. */
class ManifestScanTest {
  private static ManifestScan scan(String hash) {
    Manifest manifest = new Manifest("s3a://b/dir/m.jsonl", 100);
    return new ManifestScan(List.of(manifest, manifest), List.of(), List.of(hash), 30);
  }

  @Test
  void theHashOfAManifestIsTheBeginningOfItsContentHash() {
    assertEquals(0x0123456789ABCDEFL, scan("0123456789abcdef".repeat(4)).hashes()[0]);
    assertEquals(-1L, scan("f".repeat(64)).hashes()[0]);
  }

  @Test
  void directoriesEndWithASlashAndAreNamedOnce() {
    assertEquals(List.of("s3a://b/dir/"), scan("0".repeat(64)).directories());
  }
}
