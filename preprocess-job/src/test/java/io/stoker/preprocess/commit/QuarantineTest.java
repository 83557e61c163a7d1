package io.stoker.preprocess.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.format.PixelLayout;
import io.stoker.index.BlockTableFile;
import io.stoker.index.Dataset;
import io.stoker.index.DatasetCounts;
import io.stoker.index.ValueTable;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuarantineTest {
  private static final String ID = "0123456789abcdef";
  private static final String MINE = new Attempt("aaaa", 1, 7).rejectsName();
  private static final String OTHER = new Attempt("bbbb", 1, 9).rejectsName();

  private final OutputStore store;

  QuarantineTest(@TempDir Path directory) throws IOException {
    this.store = new OutputStore(directory.toString(), new Configuration(false));
  }

  @Test
  void onlyWhatTheReportListsAndWhatStokerDidNotWriteStays() throws IOException {
    for (String name : List.of(MINE, OTHER, "rejects/repaired.jsonl", "rejects.txt")) {
      write(name, "");
    }
    report(ID, MINE);
    new Quarantine(store).tidy(dataset());
    assertEquals(List.of("rejects.txt", MINE, "rejects/repaired.jsonl", "report.json"), names());
  }

  @Test
  void nothingThereIsNothingToDo() throws IOException {
    report(ID, MINE);
    new Quarantine(store).tidy(dataset());
    assertEquals(List.of("report.json"), names());
  }

  @Test
  void aBeatenJobKeepsWhatIsInTheWinnersReport() throws IOException {
    write(MINE, "");
    write(OTHER, "");
    report(ID, OTHER);
    new Quarantine(store)
        .abandon(List.of(partition(MINE), partition(null), partition(OTHER)), dataset());
    assertEquals(List.of(OTHER, "report.json"), names());
  }

  /** None, one of another dataset, one that is cut off, one without the list. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "other", "", "{\"dataset-id\": \"ID\"", "{\"a\": \"ID\"}"})
  void withoutAWholeReportOfTheDatasetNothingIsRemoved(String report) throws IOException {
    write(MINE, "");
    switch (report) {
      case "none" -> {}
      case "other" -> report("fedcba9876543210", OTHER);
      default -> write("report.json", report.replace("ID", ID));
    }
    new Quarantine(store).abandon(List.of(partition(MINE)), dataset());
    new Quarantine(store).tidy(dataset());
    assertTrue(names().contains(MINE), () -> report);
  }

  private void report(String datasetId, String rejects) throws IOException {
    write(
        "report.json",
        "{\"dataset-id\": \"%s\", \"rejects-files\": [\"%s\"]}".formatted(datasetId, rejects));
  }

  private static Dataset dataset() {
    return Dataset.of(
        ID,
        "stoker test",
        DatasetCounts.of(0, 0, 0, 0, 0, Map.of()),
        PixelLayout.UINT8,
        ValueTable.of(new float[ValueTable.CHANNELS][ValueTable.VALUES]),
        Map.of(),
        Map.of(),
        new BlockTableFile("blocks-a.arrow", 512, 0),
        List.of());
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
