package io.stoker.cli;

import io.stoker.format.ShardFormat;
import io.stoker.plan.CursorParser;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says: the versions of the formats that this command reads. */
final class FormatVersions implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "datasets of format version " + range(ShardFormat.MIN_VERSION, ShardFormat.CURRENT_VERSION),
      "cursors of format version " + range(CursorParser.MIN_VERSION, CursorParser.CURRENT_VERSION)
    };
  }

  private static String range(int min, int max) {
    return min == max ? Integer.toString(max) : min + " to " + max;
  }
}
