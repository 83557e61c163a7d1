package io.stoker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.FakeS3;
import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a bucket give what they give on a directory. */
class S3CommandTest {
  private static final String LOCATION = "s3://bucket/train";

  private final Path root;
  private final FakeS3 server;

  S3CommandTest(@TempDir Path bucket) throws IOException {
    this.root = bucket.resolve("train");
    TestDataset.write(root, "d", PixelLayout.UINT8, new int[] {3, 2}, new int[] {4});
    this.server = new FakeS3(bucket);
  }

  @BeforeEach
  void setCredentials() {
    System.setProperty("aws.accessKeyId", "id");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  private String run(int code, String... arguments) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int found = StokerMain.commandLine().setOut(writer).setErr(writer).execute(arguments);
    assertEquals(code, found, out.toString());
    return out.toString();
  }

  private void assertSame(String... arguments) {
    String[] local = arguments.clone();
    local[1] = root.toString();
    String[] remote = arguments.clone();
    remote[1] = LOCATION;
    String[] withStore = Arrays.copyOf(remote, remote.length + 1);
    withStore[remote.length] = "--store=s3.endpoint=" + server.endpoint();
    assertEquals(run(0, local), run(0, withStore));
  }

  @Test
  void answersAreThoseOfADirectory() {
    assertSame("inspect", "DATASET");
    assertSame("verify", "DATASET");
    assertSame("stats", "DATASET", "--json");
    assertSame("plan", "DATASET", "--global-batch=4", "--step=1");
    assertSame("plan", "DATASET", "--global-batch=4", "--sample=s7");
    assertTrue(server.requests("train/shards/").size() > 0);
  }

  @Test
  void missingDatasetIsNamed() {
    String message =
        run(3, "inspect", "s3://bucket/none", "--store=s3.endpoint=" + server.endpoint());
    assertTrue(message.startsWith("stoker: no dataset at s3://bucket/none: "), message);
  }
}
