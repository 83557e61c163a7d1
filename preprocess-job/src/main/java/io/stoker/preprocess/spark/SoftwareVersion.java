package io.stoker.preprocess.spark;

/** The version in the jar's manifest; it is part of a dataset's identity. */
final class SoftwareVersion {
  private SoftwareVersion() {}

  static String get() {
    String version = SoftwareVersion.class.getPackage().getImplementationVersion();
    return "stoker " + (version == null ? "development" : version);
  }
}
