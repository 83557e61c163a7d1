package io.stoker.resume;

import io.stoker.plan.CursorParser;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.plan.Remainder;
import io.stoker.reader.Batch;
import io.stoker.reader.RankReader;
import io.stoker.reader.ReaderOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A rank of a training job, as a process of its own that {@link KilledRankTest} kills. It prints
 * what it is given. At the end of a step it waits for a byte, then saves its cursor as a trainer
 * saves its state: it writes a temporary file and renames it.
 *
 * <p>Arguments: dataset, rank, world size, epochs left, cursor to resume at (or none), file to save
 * to.
 */
final class RankProcess {
  static final PlanSettings PLAN = new PlanSettings(1234, 12, 2, Remainder.PAD);

  private RankProcess() {}

  public static void main(String[] args) throws IOException {
    RankSpec rank = new RankSpec(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    ReaderOptions options = ReaderOptions.of(PLAN);
    if (!args[4].isEmpty()) {
      options = options.resumedAt(CursorParser.fromJson(Files.readString(Path.of(args[4]))));
    }
    options = options.withEpochs(Integer.parseInt(args[3]));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int lanes = rank.lanesPerRank(PLAN);
    try (RankReader reader = RankReader.open(Path.of(args[0]), rank, options)) {
      while (reader.hasNext()) {
        for (int lane = 0; lane < lanes; lane++) {
          try (Batch batch = reader.next()) {
            StringBuilder line = new StringBuilder();
            line.append(batch.epoch()).append(' ').append(batch.step()).append(' ');
            line.append(batch.lane()).append(' ');
            for (int pack = 0; pack < batch.packs(); pack++) {
              line.append(batch.pack(pack).padding() ? "~" : "")
                  .append(batch.pack(pack).sampleIds());
            }
            out.println(line);
          }
        }
        out.println("step");
        if (System.in.read() < 0) {
          return;
        }
        save(Path.of(args[5]), CursorParser.toJson(reader.cursor()));
      }
    }
  }

  private static void save(Path file, String cursor) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, cursor);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
