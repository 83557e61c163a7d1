package io.stoker.preprocess.config;

import static io.stoker.preprocess.config.ConfigKey.BLOCK_BYTES;
import static io.stoker.preprocess.config.ConfigKey.FETCH_ATTEMPTS;
import static io.stoker.preprocess.config.ConfigKey.FETCH_CONCURRENCY;
import static io.stoker.preprocess.config.ConfigKey.FETCH_DEADLINE;
import static io.stoker.preprocess.config.ConfigKey.FETCH_MIN_RATE;
import static io.stoker.preprocess.config.ConfigKey.FETCH_TIMEOUT;
import static io.stoker.preprocess.config.ConfigKey.FETCH_WINDOW;
import static io.stoker.preprocess.config.ConfigKey.FETCH_WINDOW_BYTES;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_ALLOWED_ROOTS;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_EXIF_ORIENTATION;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_FORMATS;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_MAX_BYTES;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_MAX_COUNT;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_MAX_PIXELS;
import static io.stoker.preprocess.config.ConfigKey.IMAGE_ROOT;
import static io.stoker.preprocess.config.ConfigKey.INPUT_MANIFESTS;
import static io.stoker.preprocess.config.ConfigKey.MANIFEST_MAX_LINE_BYTES;
import static io.stoker.preprocess.config.ConfigKey.MANIFEST_SPLIT_BYTES;
import static io.stoker.preprocess.config.ConfigKey.MODEL_PATH;
import static io.stoker.preprocess.config.ConfigKey.OUTPUT_PATH;
import static io.stoker.preprocess.config.ConfigKey.OUTPUT_RESTART;
import static io.stoker.preprocess.config.ConfigKey.PACK_ENABLED;
import static io.stoker.preprocess.config.ConfigKey.PACK_MAX_TOKENS;
import static io.stoker.preprocess.config.ConfigKey.PACK_WINDOW;
import static io.stoker.preprocess.config.ConfigKey.PACK_WINDOW_BYTES;
import static io.stoker.preprocess.config.ConfigKey.PIXELS_ENCODING;
import static io.stoker.preprocess.config.ConfigKey.PIXELS_TEMPORAL;
import static io.stoker.preprocess.config.ConfigKey.PROGRESS_INTERVAL;
import static io.stoker.preprocess.config.ConfigKey.REJECTS_MAX_FRACTION;
import static io.stoker.preprocess.config.ConfigKey.REJECTS_MIN_TOLERATED;
import static io.stoker.preprocess.config.ConfigKey.SAMPLE_MAX_TIME;
import static io.stoker.preprocess.config.ConfigKey.SHARD_MAX_BYTES;
import static io.stoker.preprocess.config.ConfigKey.SHUFFLE_PARTITION_ROWS;
import static io.stoker.preprocess.config.ConfigKey.SHUFFLE_SEED;
import static io.stoker.preprocess.config.ConfigKey.TEXT_CONTROL_TOKENS;
import static io.stoker.preprocess.config.ConfigKey.TEXT_LABELS;
import static io.stoker.preprocess.config.ConfigKey.TEXT_MAX_CHARS;
import static io.stoker.preprocess.config.ConfigKey.TEXT_TEMPLATE;
import static io.stoker.preprocess.config.ConfigKey.TURNS_DROP_LEADING_ANSWER;
import static io.stoker.preprocess.config.ConfigKey.TURNS_KEEP_EMPTY_ANSWERS;
import static io.stoker.preprocess.config.ConfigKey.TURNS_MERGE_CONSECUTIVE;
import static io.stoker.preprocess.config.ConfigKey.VISION_KERNEL;
import static io.stoker.preprocess.config.ConfigKey.VISION_MAX_PIXELS;
import static io.stoker.preprocess.config.ConfigKey.VISION_MIN_PIXELS;
import static io.stoker.preprocess.config.ConfigKey.VISION_SIMD;

import io.stoker.format.PixelLayout;
import io.stoker.preprocess.commit.RejectLimits;
import io.stoker.preprocess.decode.DecodeSettings;
import io.stoker.preprocess.decode.ImageFormat;
import io.stoker.preprocess.fetch.FetchSettings;
import io.stoker.preprocess.fetch.MediaResolver;
import io.stoker.preprocess.pack.PackSettings;
import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.shard.BlockBuilder;
import io.stoker.preprocess.shard.ShardSettings;
import io.stoker.preprocess.store.S3aUri;
import io.stoker.preprocess.text.TextSettings;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import io.stoker.preprocess.vision.Grid;
import io.stoker.preprocess.vision.ResizeKernel;
import io.stoker.preprocess.vision.SimdPath;
import java.util.EnumSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The whole configuration, parsed once at start and never again.
 *
 * @param job what the driver needs
 * @param stages what the stages need
 * @param resize what it says about resizing
 * @param rejects how many rejected rows are tolerated
 * @param content the value of every key that the dataset's content depends on
 */
public record PreprocessConfig(
    JobSettings job,
    StageSettings stages,
    ResizeSettings resize,
    RejectLimits rejects,
    SortedMap<String, String> content) {
  private static final long MAX_OBJECT_BYTES = 1L << 30;
  private static final int MAX_NESTING = 64;

  /**
   * Parses a configuration.
   *
   * @param values values by key; keys that are absent have their defaults
   * @throws ConfigException with every problem there is
   */
  public static PreprocessConfig parse(Map<String, String> values) throws ConfigException {
    ConfigValues v = new ConfigValues(values);
    JobSettings job = job(v);
    StageSettings stages = stages(v, job.maxLineBytes());
    PreprocessConfig config = new PreprocessConfig(job, stages, resize(v), rejects(v), content(v));
    v.throwIfProblems();
    return config;
  }

  private static JobSettings job(ConfigValues v) {
    v.required(INPUT_MANIFESTS, "at least one manifest");
    return new JobSettings(
        v.list(INPUT_MANIFESTS).stream().map(S3aUri::of).toList(),
        S3aUri.of(v.required(OUTPUT_PATH, "a directory for the dataset")),
        v.flag(OUTPUT_RESTART),
        S3aUri.of(v.required(MODEL_PATH, "a model directory")),
        v.number(SHUFFLE_SEED, Long.MIN_VALUE, Long.MAX_VALUE),
        v.number(SHUFFLE_PARTITION_ROWS, 1, Integer.MAX_VALUE),
        v.bytes(MANIFEST_SPLIT_BYTES, 1, Integer.MAX_VALUE),
        (int) v.bytes(MANIFEST_MAX_LINE_BYTES, 2, Integer.MAX_VALUE / 2),
        v.duration(PROGRESS_INTERVAL));
  }

  private static StageSettings stages(ConfigValues v, int maxLineBytes) {
    long maxImageBytes = v.bytes(IMAGE_MAX_BYTES, 1, MAX_OBJECT_BYTES);
    int maxChars = v.integer(TEXT_MAX_CHARS, 1);
    PixelSettings pixels = pixels(v);
    return new StageSettings(
        sample(v, maxLineBytes, maxChars),
        fetch(v, maxImageBytes),
        decode(v, maxImageBytes),
        pixels,
        text(v),
        pack(v, pixels),
        shard(v));
  }

  private static SampleSettings sample(ConfigValues v, int maxLineBytes, int maxChars) {
    return new SampleSettings(
        maxLineBytes,
        MAX_NESTING,
        maxChars,
        SampleSettings.DEFAULT_ROLES,
        v.flag(TURNS_MERGE_CONSECUTIVE),
        v.flag(TURNS_DROP_LEADING_ANSWER),
        v.flag(TURNS_KEEP_EMPTY_ANSWERS),
        new SampleSettings.Limits(
            v.integer(IMAGE_MAX_COUNT, 1), v.positiveDuration(SAMPLE_MAX_TIME)));
  }

  private static FetchSettings fetch(ConfigValues v, long maxImageBytes) {
    FetchSettings fetch =
        new FetchSettings(
            v.integer(FETCH_CONCURRENCY, 1),
            v.integer(FETCH_WINDOW, 1),
            v.bytes(FETCH_WINDOW_BYTES, 1, Long.MAX_VALUE),
            maxImageBytes,
            v.string(IMAGE_ROOT),
            v.list(IMAGE_ALLOWED_ROOTS),
            FetchSettings.retry(
                v.integer(FETCH_ATTEMPTS, 1),
                v.positiveDuration(FETCH_TIMEOUT),
                v.bytes(FETCH_MIN_RATE, 1, Integer.MAX_VALUE),
                v.positiveDuration(FETCH_DEADLINE)));
    if (!fetch.root().isEmpty()) {
      checkRoot(v, IMAGE_ROOT, fetch.root());
    }
    fetch.allowedRoots().forEach(root -> checkRoot(v, IMAGE_ALLOWED_ROOTS, root));
    return fetch;
  }

  private static void checkRoot(ConfigValues v, ConfigKey key, String root) {
    try {
      MediaResolver.checkRoot(root);
    } catch (IllegalArgumentException e) {
      v.problem("%s: %s".formatted(key.key(), e.getMessage()));
    }
  }

  private static DecodeSettings decode(ConfigValues v, long maxImageBytes) {
    return new DecodeSettings(
        v.number(IMAGE_MAX_PIXELS, 1, DecodeSettings.PIXELS_ADDRESSABLE),
        maxImageBytes,
        v.flag(IMAGE_EXIF_ORIENTATION),
        EnumSet.copyOf(v.choices(IMAGE_FORMATS, ImageFormat.class)));
  }

  private static PixelSettings pixels(ConfigValues v) {
    return new PixelSettings(
        v.choice(VISION_SIMD, SimdPath.class),
        PixelLayout.of(
            v.choice(PIXELS_ENCODING, PixelLayout.ENCODINGS),
            v.choice(PIXELS_TEMPORAL, PixelLayout.TEMPORALS)));
  }

  private static TextSettings text(ConfigValues v) {
    return new TextSettings(
        v.required(TEXT_TEMPLATE, "the name of a chat template or auto"),
        v.choice(TEXT_CONTROL_TOKENS, ControlTokenPolicy.class),
        v.choice(TEXT_LABELS, LabelMode.class));
  }

  private static PackSettings pack(ConfigValues v, PixelSettings pixels) {
    PackSettings pack =
        new PackSettings(
            v.flag(PACK_ENABLED),
            v.integer(PACK_MAX_TOKENS, 1),
            v.integer(PACK_WINDOW, 1),
            v.bytes(PACK_WINDOW_BYTES, 1, Long.MAX_VALUE));
    // Whatever a pack holds, its patches must fit a block.
    int tokenBytes = Grid.PATCHES_PER_TOKEN * pixels.layout().bytesPerPatch();
    int most = BlockBuilder.MAX_PIXEL_BYTES / tokenBytes;
    if (pack.maxTokens() > most) {
      v.problem(
          "pack.max-tokens: expected at most %d with pixels.encoding and pixels.temporal as they are, because the patches of a pack take up to 1g, found %d"
              .formatted(most, pack.maxTokens()));
    }
    return pack;
  }

  private static ShardSettings shard(ConfigValues v) {
    long blockBytes = v.bytes(BLOCK_BYTES, 1, ShardSettings.MAX_BLOCK_BYTES);
    long shardBytes = v.bytes(SHARD_MAX_BYTES, 1, ShardSettings.MAX_BYTES);
    if (shardBytes < blockBytes) {
      v.problem(
          "shard.max-bytes: expected at least block.bytes (%d), found %d"
              .formatted(blockBytes, shardBytes));
    }
    return new ShardSettings(Math.max(shardBytes, blockBytes), blockBytes);
  }

  private static ResizeSettings resize(ConfigValues v) {
    long minPixels = v.number(VISION_MIN_PIXELS, 1, Long.MAX_VALUE, 0);
    long maxPixels = v.number(VISION_MAX_PIXELS, 1, Long.MAX_VALUE, 0);
    if (maxPixels > 0 && maxPixels < minPixels) {
      v.problem(
          "vision.max-pixels: expected at least vision.min-pixels (%d), found %d"
              .formatted(minPixels, maxPixels));
    }
    return new ResizeSettings(v.choice(VISION_KERNEL, ResizeKernel.class), minPixels, maxPixels);
  }

  private static RejectLimits rejects(ConfigValues v) {
    return new RejectLimits(
        v.fraction(REJECTS_MAX_FRACTION), v.number(REJECTS_MIN_TOLERATED, 0, Long.MAX_VALUE));
  }

  private static SortedMap<String, String> content(ConfigValues v) {
    SortedMap<String, String> content = new TreeMap<>();
    for (ConfigKey key : ConfigKey.values()) {
      if (key.affectsContent()) {
        content.put(key.key(), v.string(key));
      }
    }
    return content;
  }
}
