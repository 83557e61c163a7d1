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
            "manifest rows|8",
            "samples|5",
            "rejected rows|3",
            "packs|2",
            "tokens|6,000",
            "supervised tokens|100",
            "image patches|400",
            "room used in packs|73.2 %|73.2",
            "shards|2",
            "blocks|3",
            "images read|4.0 MiB",
            "shards written|6.0 MiB",
            "start to commit|12.3 s",
            "tasks of this run|8.5 s",
            "bottleneck|decode",
            "mostbad_json|2, 25.00 % of the rows|25.0",
            "image_missing|1, 12.50 % of the rows|12.5",
            "fetch-wait|0.000 s, 0.0 %|0.0",
            "mostdecode|3.000 s, 75.0 %|75.0",
            "resize|0.000 s, 0.0 %|0.0",
            "text|1.000 s, 25.0 %|25.0",
            "pack|0.000 s, 0.0 %|0.0",
            "write|0.000 s, 0.0 %|0.0",
            "upload-wait|0.000 s, 0.0 %|0.0"),
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
    assertTrue(rows(parsed).contains("room used in packs|100.0 %|100.0"), page);
  }

  @Test
  void bothFilesAreThereAndAnotherDatasetsAreReplaced(@TempDir Path directory) throws Exception {
    OutputStore store = new OutputStore(directory.toString(), new Configuration(false));
    ReportFiles files = new ReportFiles(store);
    JobReport report = JobReportTest.report("s3a://b/set", 4096);
    assertFalse(files.areOf(report.dataset()));
    for (String name : List.of(ReportFiles.JSON, ReportPage.FILE)) {
      Files.writeString(directory.resolve(name), "of another dataset");
    }
    assertFalse(files.areOf(report.dataset()));
    files.write(report);
    assertTrue(files.areOf(report.dataset()));
    byte[] page = store.read(ReportPage.FILE);
    assertNotNull(page);
    assertEquals(26, rows(parse(page)).size());
    // Of a job that lost a race: what is there stays.
    files.write(JobReportTest.report("s3a://c/set", 4096));
    assertTrue(Files.readString(directory.resolve(ReportFiles.JSON)).contains("s3a://b/set"));
    assertTrue(Files.readString(directory.resolve(ReportPage.FILE)).contains("s3a://b/set"));
  }
}
