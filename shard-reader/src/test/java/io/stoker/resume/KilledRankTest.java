package io.stoker.resume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stoker.fixture.TestDataset;
import io.stoker.format.PixelLayout;
import io.stoker.plan.Cursor;
import io.stoker.plan.CursorParser;
import io.stoker.plan.RankSpec;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ranks that are killed with SIGKILL between a step and its saved state, in the middle of a step or
 * while they save, and start again from what was saved, maybe as another number of ranks: what was
 * acknowledged is the plan, without a gap or a repeat.
 *
 * <p>As in a real job a state counts once all ranks have saved it.
 */
class KilledRankTest {
  private static final int KILLS = 50;
  private static final int EPOCHS = 6;
  private static final int[] WORLD_SIZES = {1, 2, 1, 1, 3, 1, 2, 1, 1, 6};

  private final Path root;
  private final Random random = new Random(41);

  KilledRankTest(@TempDir Path root) {
    this.root = root;
  }

  /** One rank of one life of the job. */
  private static final class Rank {
    private final Process process;
    private final BufferedReader output;
    private final Path saved;
    private final List<String> lines = new ArrayList<>();
    private long acknowledged;

    Rank(Process process, Path saved) {
      this.process = process;
      this.output = process.inputReader(StandardCharsets.UTF_8);
      this.saved = saved;
    }

    /** Waits until the rank has been given a whole step; false if there is none left. */
    boolean awaitStep() throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals("step")) {
          return true;
        }
        lines.add(line);
      }
      return false;
    }

    /** Lets it save its state and go on. */
    void acknowledge() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      acknowledged++;
    }

    /** SIGKILL. */
    void kill() throws IOException, InterruptedException {
      // Process.destroyForcibly would close the pipe, and lose what the rank has printed.
      assertTrue(process.toHandle().destroyForcibly());
      process.waitFor();
      while (awaitStep()) {
        // What it printed before it died counts as given.
      }
      output.close();
    }
  }

  @Test
  @Timeout(600)
  void acknowledgedSamplesAreThePlan() throws IOException, InterruptedException {
    TestDataset.write(
        root, "killed", PixelLayout.UINT8, random.ints(90, 1, 9).toArray(), new int[] {5, 9, 1});
    List<String> plan = plan();
    TreeMap<String, String> given = new TreeMap<>(Comparator.comparing(KilledRankTest::order));
    Path resume = null;
    for (int life = 0; life <= KILLS; life++) {
      boolean last = life == KILLS;
      int worldSize = WORLD_SIZES[life % WORLD_SIZES.length];
      List<Rank> ranks = start(life, worldSize, resume);
      int steps = last ? Integer.MAX_VALUE : random.nextInt(6);
      boolean alive = true;
      for (int step = 0; alive && step < steps; step++) {
        alive = step(ranks);
      }
      if (!last) {
        assertTrue(alive, "the job ended before kill " + life);
        crash(ranks);
      }
      for (Rank rank : ranks) {
        assertEquals(last ? 0 : 137, rank.process.waitFor());
      }
      checkSaved(ranks, resume, plan.size() / EPOCHS / RankProcess.PLAN.lanes());
      Path acknowledged = acknowledged(ranks, resume);
      merge(given, ranks, acknowledged == null ? null : cursor(acknowledged));
      resume = acknowledged;
    }
    assertEquals(plan, List.copyOf(given.values()));
  }

  /** All lanes of a step, in order: key of the line without its samples, and the line. */
  private static long order(String key) {
    String[] parts = key.split(" ");
    return (Long.parseLong(parts[0]) << 32)
        + (Long.parseLong(parts[1]) << 8)
        + Long.parseLong(parts[2]);
  }

  private List<String> plan() throws IOException {
    List<String> lines = new ArrayList<>();
    ReaderOptions options = ReaderOptions.of(RankProcess.PLAN).withEpochs(EPOCHS);
    try (RankReader reader = RankReader.open(root, new RankSpec(0, 1), options)) {
      while (reader.hasNext()) {
        try (Batch batch = reader.next()) {
          StringBuilder packs = new StringBuilder();
          for (int pack = 0; pack < batch.packs(); pack++) {
            packs.append(batch.pack(pack).padding() ? "~" : "");
            packs.append(batch.pack(pack).sampleIds());
          }
          lines.add(batch.epoch() + " " + batch.step() + " " + batch.lane() + " " + packs);
        }
      }
    }
    return lines;
  }

  private List<Rank> start(int life, int worldSize, Path resume) throws IOException {
    List<Rank> ranks = new ArrayList<>();
    long epoch = resume == null ? 0 : cursor(resume).epoch();
    for (int rank = 0; rank < worldSize; rank++) {
      Path saved = root.resolve("cursor-" + life + "-" + rank);
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  RankProcess.class.getName(),
                  root.toString(),
                  Integer.toString(rank),
                  Integer.toString(worldSize),
                  Long.toString(EPOCHS - epoch),
                  resume == null ? "" : resume.toString(),
                  saved.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      ranks.add(new Rank(process, saved));
    }
    return ranks;
  }

  private static boolean step(List<Rank> ranks) throws IOException {
    boolean alive = true;
    for (Rank rank : ranks) {
      alive &= rank.awaitStep();
    }
    for (Rank rank : ranks) {
      if (alive) {
        rank.acknowledge();
      }
    }
    return alive;
  }

  /** Kills all ranks, each at a moment of its own. */
  private void crash(List<Rank> ranks) throws IOException, InterruptedException {
    for (Rank rank : ranks) {
      switch (random.nextInt(3)) {
        case 0 -> {
          // While it reads a step, or saves the last one.
        }
        case 1 -> assertTrue(rank.awaitStep(), "delivered, not saved");
        default -> {
          assertTrue(rank.awaitStep());
          // While it saves.
          rank.acknowledge();
        }
      }
    }
    for (Rank rank : ranks) {
      rank.kill();
    }
  }

  /** A saved state is at the last step that was acknowledged, or, if it died saving, before it. */
  private static void checkSaved(List<Rank> ranks, Path before, long steps) throws IOException {
    long start = before == null ? 0 : stepsDone(cursor(before), steps);
    for (Rank rank : ranks) {
      long done = Files.exists(rank.saved) ? stepsDone(cursor(rank.saved), steps) : start;
      long unsaved = start + rank.acknowledged - done;
      assertTrue(unsaved == 0 || unsaved == 1, () -> unsaved + " steps were not saved");
    }
  }

  private static long stepsDone(Cursor cursor, long stepsPerEpoch) {
    return cursor.epoch() * stepsPerEpoch + cursor.step();
  }

  /** The oldest state of the ranks: the newest that all of them have saved. */
  private static Path acknowledged(List<Rank> ranks, Path before) throws IOException {
    Path oldest = null;
    for (Rank rank : ranks) {
      Path saved = Files.exists(rank.saved) ? rank.saved : before;
      if (saved == null) {
        return null;
      }
      if (oldest == null || position(cursor(saved)) < position(cursor(oldest))) {
        oldest = saved;
      }
    }
    return oldest;
  }

  private static Cursor cursor(Path saved) throws IOException {
    return CursorParser.fromJson(Files.readString(saved));
  }

  private static long position(Cursor cursor) {
    return (cursor.epoch() << 32) + (cursor.step() << 8);
  }

  /** Adds what was given before the acknowledged state; each lane of a step only once. */
  private static void merge(TreeMap<String, String> given, List<Rank> ranks, Cursor acknowledged) {
    for (Rank rank : ranks) {
      for (String line : rank.lines) {
        String[] parts = line.split(" ", 4);
        // A line that the kill cut off has no end.
        if (parts.length < 4 || !line.endsWith("]")) {
          continue;
        }
        String key = parts[0] + " " + parts[1] + " " + parts[2];
        if (acknowledged != null && order(key) < position(acknowledged)) {
          assertEquals(null, given.put(key, line), "given and acknowledged twice");
        }
      }
    }
  }
}
