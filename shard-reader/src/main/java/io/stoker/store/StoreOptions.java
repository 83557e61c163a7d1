package io.stoker.store;

/** Keys of the settings of a store. What is missing comes from the environment. */
public final class StoreOptions {
  /** Key of the URL of an S3 server. */
  public static final String S3_ENDPOINT = "s3.endpoint";

  /** Key of the region. */
  public static final String S3_REGION = "s3.region";

  /** Key of whether the bucket goes into the path; the default is yes if there is an endpoint. */
  public static final String S3_PATH_STYLE = "s3.path-style";

  /** Key of how often one request is tried; the default is 40, with pauses of up to 5 s between. */
  public static final String S3_MAX_ATTEMPTS = "s3.max-attempts";

  /** Key of the milliseconds one request may take, its body included; the default is 60000. */
  public static final String S3_REQUEST_TIMEOUT = "s3.request-timeout-ms";

  /**
   * Key of the bytes per second below which a request is given up and repeated, judged from its
   * fifth second on; the default is 65536.
   */
  public static final String S3_MINIMUM_RATE = "s3.minimum-rate";

  private StoreOptions() {}
}
