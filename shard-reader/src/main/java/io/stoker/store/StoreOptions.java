package io.stoker.store;

/** Keys of the settings of a store. What is missing comes from the environment. */
public final class StoreOptions {
  /** Key of the URL of an S3 server. */
  public static final String S3_ENDPOINT = "s3.endpoint";

  /** Key of the region. */
  public static final String S3_REGION = "s3.region";

  /** Key of whether the bucket goes into the path; the default is yes if there is an endpoint. */
  public static final String S3_PATH_STYLE = "s3.path-style";

  /**
   * Key of how many broken answers a request may get; the default is 40, with pauses of up to 5 s
   * between. A store that is busy or cannot be reached is bounded by {@link #S3_DEADLINE} alone.
   */
  public static final String S3_MAX_ATTEMPTS = "s3.max-attempts";

  /**
   * Key of the milliseconds that a store may be silent, and that a request may take beyond what its
   * bytes need at {@link #S3_MINIMUM_RATE}; the default is 10000.
   */
  public static final String S3_REQUEST_TIMEOUT = "s3.request-timeout-ms";

  /**
   * Key of the bytes per second below which a request is given up and repeated, once {@link
   * #S3_REQUEST_TIMEOUT} has passed; the default is 65536.
   */
  public static final String S3_MINIMUM_RATE = "s3.minimum-rate";

  /** Key of the milliseconds that a request may take with all its repetitions; default 300000. */
  public static final String S3_DEADLINE = "s3.deadline-ms";

  private StoreOptions() {}
}
