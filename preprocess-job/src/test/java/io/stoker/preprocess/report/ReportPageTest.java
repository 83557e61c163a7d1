package io.stoker.preprocess.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.preprocess.store.OutputStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportPageTest {
  private static final String HOSTILE = "file:/a&b/\"100%d\"/<script>alert(1)</script>";

  private static Document parse(byte[] page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(page));
  }

  /** The text of every row, cells separated by bars; the width of a drawn bar in percent. */
  private static List<String> rows(Document page) {
    List<String> rows = new ArrayList<>();
    NodeList found = page.getElementsByTagName("tr");
    for (int i = 0; i < found.getLength(); i++) {
      Element row = (Element) found.item(i);
      List<String> cells = new ArrayList<>();
      for (int j = 0; j < row.getChildNodes().getLength(); j++) {
        Element cell = (Element) row.getChildNodes().item(j);
        NodeList bar = cell.getElementsByTagName("rect");
        cells.add(
            bar.getLength() == 0
                ? cell.getTextContent()
                : String.format(
                    Locale.ROOT,
                    "%.1f",
                    Double.parseDouble(((Element) bar.item(0)).getAttribute("width")) / 3));
      }
      rows.add(row.getAttribute("class") + String.join("|", cells));
    }
    return rows;
  }

  @Test
  void thePageShowsWhatTheJsonHolds() throws Exception {
    String page = ReportPage.of(JobReportTest.report("s3a://b/set", 4096));
    assertEquals(
        List.of(
            "dataset|s3a://b/set",
            "dataset id|0123456789abcdef",
            "samples|5 of 8 rows",
            "tokens|6,000 (100 supervised)",
            "patches|400",
            "read|4.0 MiB of images",
            "written|6.0 MiB in 2 shards, 3 blocks",
            "time|12.3 s from start to commit",
            "tasks took|8.5 s in this run, wall time",
            "packs|73.2|2, 73.2 % filled",
            "bad_json|25.0|2, 25.00 % of the rows",
            "image_missing|12.5|1, 12.50 % of the rows",
            "all|3",
            "fetch-wait|0.0|0.000 s, 0.0 %",
            "mostdecode|75.0|3.000 s, 75.0 %",
            "resize|0.0|0.000 s, 0.0 %",
            "text|25.0|1.000 s, 25.0 %",
            "pack|0.0|0.000 s, 0.0 %",
            "write|0.0|0.000 s, 0.0 %",
            "upload-wait|0.0|0.000 s, 0.0 %",
            "bottleneck|decode"),
        rows(parse(page.getBytes(StandardCharsets.UTF_8))));
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertEquals(page, ReportPage.of(JobReportTest.report("s3a://b/set", 4096)));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void namesAreTextWhateverTheyHold() throws Exception {
    String page = ReportPage.of(JobReportTest.report(HOSTILE, 0));
    assertFalse(page.contains("<script"), page);
    Document parsed = parse(page.getBytes(StandardCharsets.UTF_8));
    assertEquals("dataset|" + HOSTILE, rows(parsed).get(0));
    assertTrue(rows(parsed).contains("packs|100.0|2, 100.0 % filled"), page);
  }

  @Test
  void bothFilesAreThereAndAnotherDatasetsAreReplaced(@TempDir Path directory) throws Exception {
    OutputStore store = new OutputStore(directory.toString(), new Configuration(false));
    ReportFiles files = new ReportFiles(store);
    JobReport report = JobReportTest.report("s3a://b/set", 4096);
    assertFalse(files.areOf(report.dataset()));
    for (String name : List.of(ReportFiles.JSON, ReportFiles.PAGE)) {
      Files.writeString(directory.resolve(name), "of another dataset");
    }
    assertFalse(files.areOf(report.dataset()));
    files.write(report);
    assertTrue(files.areOf(report.dataset()));
    byte[] page = store.read(ReportFiles.PAGE);
    assertNotNull(page);
    assertEquals(21, rows(parse(page)).size());
    // Of a job that lost a race: what is there stays.
    files.write(JobReportTest.report("s3a://c/set", 4096));
    assertTrue(Files.readString(directory.resolve(ReportFiles.JSON)).contains("s3a://b/set"));
    assertTrue(Files.readString(directory.resolve(ReportFiles.PAGE)).contains("s3a://b/set"));
  }
}
