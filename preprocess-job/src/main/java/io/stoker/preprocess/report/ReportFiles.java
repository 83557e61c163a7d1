package io.stoker.preprocess.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stoker.index.Dataset;
import io.stoker.preprocess.store.OutputStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The report beside a dataset: for programs, and as a page for people. */
public final class ReportFiles {
  /** The report for programs; written last, so that there is a page where this is. */
  public static final String JSON = "report.json";

  private final OutputStore store;

  public ReportFiles(OutputStore store) {
    this.store = store;
  }

  /** Whether the report is this dataset's. It may be left from another one that was removed. */
  public boolean areOf(Dataset dataset) throws IOException {
    return isOf(dataset, store.read(JSON));
  }

  /** Writes both, unless they are there. */
  public void write(JobReport report) throws IOException {
    write(
        ReportPage.FILE, report.dataset(), ReportPage.of(report).getBytes(StandardCharsets.UTF_8));
    write(JSON, report.dataset(), JobReportWriter.toJson(report));
  }

  /**
   * The objects with the rejected rows of a dataset; null without its report, or if that is
   * damaged.
   */
  public @Nullable Set<String> rejects(Dataset dataset) throws IOException {
    byte[] report = store.read(JSON);
    if (report == null || !isOf(dataset, report)) {
      return null;
    }
    JsonNode files;
    try {
      files = new ObjectMapper().readTree(report).path(JobReport.REJECTS_FILES);
    } catch (JsonProcessingException e) {
      return null;
    }
    if (!files.isArray()) {
      return null;
    }
    Set<String> names = new HashSet<>();
    files.forEach(name -> names.add(name.asText()));
    return names;
  }

  /** Another job may have found the dataset and be writing the same report right now. */
  private void write(String name, Dataset dataset, byte[] bytes) throws IOException {
    if (!store.createIfAbsent(name, bytes) && !isOf(dataset, store.read(name))) {
      store.replace(name, bytes);
    }
  }

  private static boolean isOf(Dataset dataset, byte @Nullable [] report) {
    return report != null
        && new String(report, StandardCharsets.UTF_8).contains(dataset.datasetId());
  }
}
