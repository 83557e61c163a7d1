package io.stoker.preprocess.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.index.BlockEntry;
import io.stoker.index.ShardEntry;
import io.stoker.preprocess.measure.Counts;
import io.stoker.preprocess.measure.Stage;
import io.stoker.preprocess.measure.StageTimes;
import io.stoker.preprocess.shard.StagedShard;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of finished partitions: read as they were written, or refused. */
class StagingJsonTest {
  private static final StagedPartition PARTITION =
      new StagedPartition(
          3,
          List.of(
              new StagedShard(
                  new ShardEntry("shards/00/a.arrow", 1 << 30, 0xFFFFFFFFL, 1),
                  List.of(new BlockEntry(512, 128, 1, 2, 10, 4, 0xFFFFFFFFL)))),
          "rejects/a.jsonl",
          new Counts(9, 7, 5, 1L << 40, 30, 20, 10, 100, Map.of("bad_json", 2L)),
          new StageTimes(Map.of(Stage.FETCH_WAIT, 5L, Stage.TEXT, 1L << 40)));

  private static String written() throws IOException {
    return new String(StagingJson.write(PARTITION), UTF_8);
  }

  private static StagedPartition read(String json) throws IOException {
    return StagingJson.readPartition("r.json", json.getBytes(UTF_8));
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws IOException {
    assertEquals(PARTITION, read(written()));
    StagedPartition empty =
        new StagedPartition(1, List.of(), null, Counts.none(), StageTimes.none());
    assertEquals(
        empty, StagingJson.readPartition("r.json", StagingJson.write(empty)), "nothing rejected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"partition\":3,|",
        "\"partition\":3|\"partition\":3,\"added\":1",
        "\"partition\":3|\"partition\":3,\"partition\":3",
        "\"partition\":3|\"partition\":null",
        "\"partition\":3|\"partition\":\"3\"",
        "\"partition\":3|\"partition\":3.5",
        "\"tokens\":10,|",
        "\"blocks\":1|\"blocks\":2",
        "\"FETCH_WAIT\"|\"WAIT\"",
        "\"rejects\":\"rejects/a.jsonl\",|",
      })
  void aRecordThatIsNotQuiteOneIsRefused(String part, String instead) throws IOException {
    String json = written();
    assertTrue(json.contains(part), json);
    String changed = json.replace(part, instead == null ? "" : instead);
    IOException e = assertThrows(IOException.class, () -> read(changed));
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("expected the record of a finished partition in r.json, found "),
        e::toString);
  }

  @Test
  void whatFollowsARecordIsRefused() throws IOException {
    String json = written();
    assertThrows(IOException.class, () -> read(json + json));
  }

  /**
   * Software with another layout never writes to the same directory; if it did, we would notice.
   */
  @Test
  void anotherLayoutIsRefused() {
    String positional =
        """
        {"partition":7,"rejects-file":"rejects/a.jsonl","counts":{"rows":0,"rejects":{}},
         "nanos":{"text":1},
         "shards":[{"name":"shards/00/a.arrow","bytes":9,"crc32c":1,"blocks":[[512,128,1,1,1,0,1]]}]}
        """;
    assertThrows(IOException.class, () -> read(positional));
  }
}
