package io.stoker.preprocess;

import io.stoker.preprocess.commit.SoftwareVersion;
import io.stoker.preprocess.config.ConfigException;
import io.stoker.preprocess.config.ConfigFile;
import io.stoker.preprocess.config.PreprocessConfig;
import io.stoker.preprocess.report.JobReportWriter;
import io.stoker.preprocess.spark.JobException;
import io.stoker.preprocess.spark.PreprocessJob;
import io.stoker.preprocess.spark.PreprocessJob.Outcome;
import io.stoker.preprocess.spark.SparkRules;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.fs.s3a.UnknownStoreException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Option;
import picocli.CommandLine.UnmatchedArgumentException;

/** Arguments → configuration → job → exit code. */
@Command(
    name = "submit",
    sortOptions = false,
    customSynopsis = "scripts/submit [SPARK OPTIONS --] [-c FILE] [-s KEY=VALUE]...",
    mixinStandardHelpOptions = true,
    versionProvider = SoftwareVersion.class,
    description = "Turns manifests and images into a dataset of finished samples.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:the dataset was published",
      "1:the job failed",
      "2:the command line or the configuration is wrong",
      "3:a manifest is missing, empty or no JSON lines",
      "4:the model directory or its chat template cannot be used",
      "5:there is a dataset at the output already",
      "6:too many rows were rejected",
      "7:another job published at the output first",
      "8:it is unknown whether the dataset was published",
      "9:the output cannot be written or holds unfinished work of another configuration"
    })
public final class PreprocessMain implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(PreprocessMain.class);

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Properties file; conf/preprocess.properties lists every key.")
  private @Nullable Path file;

  @Option(
      names = {"-s", "--set"},
      paramLabel = "KEY=VALUE",
      description = "One key; goes before the file. Can be repeated.")
  private Map<String, String> set = new LinkedHashMap<>();

  private PreprocessMain() {}

  public static void main(String[] args) {
    // What is printed and written must not depend on the language of the host.
    Locale.setDefault(Locale.ROOT);
    CommandLine command = new CommandLine(new PreprocessMain());
    IParameterExceptionHandler handler = command.getParameterExceptionHandler();
    command.setParameterExceptionHandler(
        (e, arguments) -> {
          int code = handler.handleParseException(e, arguments);
          if (e instanceof UnmatchedArgumentException) {
            command.getErr().println("Spark's options go first, before a lone \"--\".");
            command.getErr().flush();
          }
          return code;
        });
    System.exit(command.execute(args));
  }

  private static String describe(Outcome outcome) {
    if (outcome instanceof Outcome.Published published) {
      return JobReportWriter.toTable(published.report());
    }
    Outcome.Unchanged unchanged = (Outcome.Unchanged) outcome;
    String done =
        "stoker: nothing to do: %s is the dataset %s, made of these manifests with this configuration"
            .formatted(unchanged.uri(), unchanged.datasetId());
    return unchanged.rejected() == 0
        ? done
        : done
            + "; images are not compared: to try the %,d rejected rows again, submit rejects/ or choose another output.path"
                .formatted(unchanged.rejected());
  }

  @Override
  public Integer call() {
    try {
      PreprocessConfig config = PreprocessConfig.parse(ConfigFile.read(file, set));
      try (JavaSparkContext spark = new JavaSparkContext(SparkRules.defaults(new SparkConf()))) {
        System.out.println(describe(new PreprocessJob(config, spark, System.err).run()));
      }
      return 0;
    } catch (ConfigException e) {
      e.problems().forEach(problem -> System.err.println("stoker: " + problem));
      return JobException.Kind.CONFIG.exitCode();
    } catch (JobException e) {
      System.err.println("stoker: " + e.getMessage());
      return e.kind().exitCode();
    } catch (AccessDeniedException | UnknownStoreException | UnsupportedFileSystemException e) {
      System.err.println("stoker: the job failed: " + e.getMessage());
      System.err.println(
          "stoker: check that the URI, the store's endpoint and its credentials are right");
      return JobException.Kind.FAILED.exitCode();
    } catch (IOException | RuntimeException e) {
      System.err.println("stoker: the job failed: " + e.getMessage());
      LOG.error("unexpected", e);
      return JobException.Kind.FAILED.exitCode();
    }
  }
}
