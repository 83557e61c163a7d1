package io.stoker.preprocess;

import io.stoker.common.Durations;
import io.stoker.preprocess.commit.OrphanFinder;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.OutputStore.StoredObject;
import io.stoker.preprocess.store.PendingUploads;
import io.stoker.preprocess.store.S3aUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code stoker clean}: lists and removes what no dataset refers to. */
@Command(
    name = "stoker clean",
    mixinStandardHelpOptions = true,
    description = {
      "Lists what killed jobs left at an output: objects that no dataset refers to, and uploads",
      "that were never completed. What a job younger than AGE may need is not touched.",
      "After cleaning, an unfinished job starts from the beginning."
    })
public final class CleanMain implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "OUTPUT",
      description = "Directory or URI (s3://, hdfs://, …) of the dataset.")
  private String output;

  @Option(
      names = "--older-than",
      defaultValue = "24h",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "Age below which nothing is touched (default: ${DEFAULT-VALUE}).")
  private Duration age;

  @Option(names = "--delete", description = "Remove them; otherwise they are only listed.")
  private boolean delete;

  private CleanMain() {}

  public static void main(String[] args) {
    CommandLine command = new CommandLine(new CleanMain());
    command.setExecutionExceptionHandler(
        (e, line, result) -> {
          line.getErr().println("stoker: " + e.getMessage());
          return 1;
        });
    System.exit(command.execute(args));
  }

  @Override
  public Integer call() throws IOException {
    OutputStore store = new OutputStore(S3aUri.of(output), new Configuration());
    Instant limit = Instant.now().minus(age);
    List<StoredObject> orphans = new OrphanFinder(store).olderThan(limit);
    List<PendingUploads.Upload> uploads = store.pendingUploads().olderThan(limit);
    PrintWriter out = spec.commandLine().getOut();
    for (StoredObject orphan : orphans) {
      if (delete) {
        store.delete(orphan.name());
      }
      out.printf("%s  %,d bytes  %s%n", orphan.modified(), orphan.bytes(), orphan.name());
    }
    for (PendingUploads.Upload upload : uploads) {
      if (delete) {
        store.pendingUploads().abort(upload);
      }
      out.printf("%s  pending upload  %s%n", upload.initiated(), upload.key());
    }
    out.printf(
        "%d orphans, %,d bytes, and %d pending uploads%s%n",
        orphans.size(),
        orphans.stream().mapToLong(StoredObject::bytes).sum(),
        uploads.size(),
        remark(store, orphans.isEmpty() && uploads.isEmpty()));
    out.flush();
    return 0;
  }

  private String remark(OutputStore store, boolean clean) throws IOException {
    if (!clean) {
      return delete ? ", removed" : "; remove them with --delete";
    }
    // A misspelt output must not look like a clean one.
    return store.list("").isEmpty() ? ": there is no object at " + store.uri() : "";
  }

  /** A duration; with a minus sign before it where the store's clock is ahead of this one. */
  static final class AgeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return text.startsWith("-")
            ? Durations.parse(text.substring(1)).negated()
            : Durations.parse(text);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new TypeConversionException("expected an age such as 24h or 30m, found " + text);
      }
    }
  }
}
