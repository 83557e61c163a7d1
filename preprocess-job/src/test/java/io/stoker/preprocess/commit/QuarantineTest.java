package io.stoker.preprocess.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuarantineTest {
  private static final String MINE = new Attempt("aaaa", 1, 7).rejectsName();
  private static final String OTHER = new Attempt("bbbb", 1, 9).rejectsName();

  private final OutputStore store;

  QuarantineTest(@TempDir Path directory) throws IOException {
    this.store = new OutputStore(directory.toString(), new Configuration(false));
  }

  @Test
  void onlyTheDatasetsOwnAndWhatStokerDidNotWriteStays() throws IOException {
    for (String name : List.of(MINE, OTHER, "rejects/repaired.jsonl", "rejects.txt")) {
      write(name, "");
    }
    new Quarantine(store).keepOnly(List.of(MINE));
    assertEquals(List.of("rejects.txt", MINE, "rejects/repaired.jsonl"), names());
  }

  @Test
  void nothingThereIsNothingToDo() throws IOException {
    new Quarantine(store).keepOnly(List.of(MINE));
    assertEquals(List.of(), names());
  }

  @Test
  void aBeatenJobKeepsWhatIsInTheWinnersReport() throws IOException {
    write(MINE, "");
    write(OTHER, "");
    write("report.json", "{\"rejects-files\": [\"%s\"]}".formatted(OTHER));
    new Quarantine(store).abandon(List.of(partition(MINE), partition(null), partition(OTHER)));
    assertEquals(List.of(OTHER, "report.json"), names());
  }

  @Test
  void aBeatenJobLeavesAllToAWinnerWithoutAReport() throws IOException {
    write(MINE, "");
    new Quarantine(store).abandon(List.of(partition(MINE)));
    assertEquals(List.of(MINE), names());
  }

  private static StagedPartition partition(@Nullable String rejects) {
    return new StagedPartition(1, List.of(), rejects, Counts.none(), StageTimes.none());
  }

  private void write(String name, String text) throws IOException {
    store.replace(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> names() throws IOException {
    return store.list("").stream().map(StoredObject::name).sorted().collect(Collectors.toList());
  }
}
