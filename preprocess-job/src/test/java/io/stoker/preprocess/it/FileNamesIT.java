package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** File names of a plain directory: bytes that no locale, URI or glob may reinterpret. */
@ExtendWith(Lab.Resolver.class)
class FileNamesIT {
  private static final String RECORD =
      "{\"image\":\"%s\",\"question\":\"What is this?\",\"answer\":\"Coins.\"}%n";

  private final Lab lab;

  FileNamesIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void areTakenAsTheyAreWrittenAlsoUnderAPosixLocale() throws IOException {
    Path input = Files.createDirectories(lab.path("names in [one] directory"));
    List<String> names =
        List.of("plain.jpg", "a b+c%20d.jpg", "100%.jpg", "#1?.jpg", "{x,y}.jpg", "übung-猫.jpg");
    StringBuilder manifest = new StringBuilder();
    for (String name : names) {
      copyCoins(input, name);
      manifest.append(RECORD.formatted(name));
    }
    Files.writeString(input.resolve("manifest.jsonl"), manifest);
    DatasetFiles files =
        lab.dataset(
            "names",
            lab.submission("names")
                .quick()
                .master("local[1]")
                .set("input.manifests", lab.path("names*").resolve("manifest.jsonl").toString())
                .environment(Map.of("LC_ALL", "C")));
    assertEquals(names.size(), files.dataset().counts().samples());
    assertEquals(Map.of(), files.dataset().counts().rejects());
  }

  /** A shell that is given bytes does this, because this JVM's own locale may not know the name. */
  private void copyCoins(Path directory, String name) throws IOException {
    Path script = lab.path("copy.sh");
    Files.writeString(
        script,
        "cp '%s' '%s/%s'"
            .formatted(Lab.EXAMPLES.resolve("images/table/coins.jpg"), directory, name),
        StandardCharsets.UTF_8);
    assertEquals(
        0,
        lab.processes()
            .run(List.of("sh", script.toString()), Map.of(), java.time.Duration.ofSeconds(10))
            .exitCode());
  }
}
