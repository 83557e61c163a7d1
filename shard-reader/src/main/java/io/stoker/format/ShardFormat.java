package io.stoker.format;

/** The constants of the format that {@link io.stoker.format} specifies. */
public final class ShardFormat {
  /** Name of the commit point inside a dataset directory. */
  public static final String DATASET_FILE = "dataset.json";

  /** What {@code dataset.json} says it is. */
  public static final String DATASET_FORMAT = "stoker-dataset";

  /** What a block table says it is. */
  public static final String BLOCK_TABLE_FORMAT = "stoker-blocks";

  /** What a shard says it is. */
  public static final String SHARD_FORMAT = "stoker-shard";

  /** The oldest version this code reads. */
  public static final int MIN_VERSION = 1;

  /** The version this code writes, and the newest it reads. */
  public static final int CURRENT_VERSION = 1;

  /** Metadata key: one of the format names above. */
  public static final String FORMAT_KEY = "stoker.format";

  /** Metadata key: the format version, decimal. */
  public static final String VERSION_KEY = "stoker.format-version";

  /** Metadata key: the dataset the file belongs to. */
  public static final String DATASET_ID_KEY = "stoker.dataset-id";

  /** Metadata key: {@link PixelLayout#encoding()}. */
  public static final String PIXEL_ENCODING_KEY = "stoker.pixel-encoding";

  /** Metadata key: {@link PixelLayout#temporal()}. */
  public static final String PIXEL_TEMPORAL_KEY = "stoker.pixel-temporal";

  /** Field metadata key: the element type, where Arrow has none. */
  public static final String DTYPE_KEY = "stoker.dtype";

  /** Every message, body and buffer of an aligned file starts at a multiple of this. */
  public static final int ALIGNMENT = 64;

  /** Files stay below this many bytes, so that one mapping of a JVM holds a whole one. */
  public static final long MAX_FILE_BYTES = Integer.MAX_VALUE;

  /** Elements of one patch with one temporal slot: 3 channels of 16 x 16. */
  public static final int PATCH_VALUES = 768;

  /** The label of a token that is not trained. */
  public static final long IGNORED_LABEL = -100;

  private ShardFormat() {}

  /**
   * Refuses a version outside [{@link #MIN_VERSION}, {@link #CURRENT_VERSION}].
   *
   * @param resource the file that declares it
   * @throws ShardFormatException of kind too old or too new
   */
  public static void checkVersion(String resource, long version) throws ShardFormatException {
    if (version < MIN_VERSION || version > CURRENT_VERSION) {
      throw ShardFormatException.version(resource, version, MIN_VERSION, CURRENT_VERSION);
    }
  }

  /** The smallest multiple of {@link #ALIGNMENT} that is not below {@code bytes}. */
  public static long align(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
