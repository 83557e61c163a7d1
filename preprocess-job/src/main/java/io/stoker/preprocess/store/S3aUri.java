package io.stoker.preprocess.store;

/** Hadoop's S3 client answers to {@code s3a} only; the rest of the world writes {@code s3}. */
public final class S3aUri {
  public static final String SCHEME = "s3a";

  private S3aUri() {}

  /** A URI as Hadoop understands it; everything but {@code s3://} stays as it is. */
  public static String of(String uri) {
    return uri.startsWith("s3://") ? SCHEME + uri.substring("s3".length()) : uri;
  }

  /** The same for a scheme in lower case. */
  public static String scheme(String scheme) {
    return scheme.equals("s3") ? SCHEME : scheme;
  }
}
