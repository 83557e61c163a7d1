package io.stoker.cli;

import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all commands have in common: the dataset, help and exit codes. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = FormatVersions.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the dataset is corrupt, or of a version that this command does not know",
      "2:wrong arguments",
      "3:there is no dataset, or it cannot be reached",
      "4:there is no such sample in the dataset",
      "70:a bug of this command",
    })
final class DatasetArgument {
  @Parameters(
      paramLabel = "DATASET",
      description =
          "Directory or s3:// URI of the dataset. Credentials, region and endpoint come from where"
              + " the AWS tools take them (AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT_URL, …).")
  private String location;

  @Option(
      names = "--store",
      paramLabel = "KEY=VALUE",
      description =
          "A setting of the store, such as s3.endpoint=http://127.0.0.1:9000. May be repeated.")
  private final Map<String, String> store = new TreeMap<>();

  /** Where the dataset is. */
  URI uri() {
    return location.contains("://") ? URI.create(location) : Path.of(location).toUri();
  }

  /** Settings of the store. */
  Map<String, String> store() {
    return Map.copyOf(store);
  }

  /** Opens it. */
  DatasetView open() throws IOException {
    return DatasetView.open(uri(), store);
  }
}
