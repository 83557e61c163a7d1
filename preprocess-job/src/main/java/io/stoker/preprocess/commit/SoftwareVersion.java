package io.stoker.preprocess.commit;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest; it is part of a dataset's identity. */
public final class SoftwareVersion implements IVersionProvider {
  static String get() {
    String version = SoftwareVersion.class.getPackage().getImplementationVersion();
    return "stoker " + (version == null ? "development" : version);
  }

  @Override
  public String[] getVersion() {
    return new String[] {get()};
  }
}
