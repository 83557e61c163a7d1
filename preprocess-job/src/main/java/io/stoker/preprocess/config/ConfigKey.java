package io.stoker.preprocess.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Every key of the configuration file with its default: the one place where both are written down.
 * Byte sizes are written as {@code 512m}, durations as {@code 30s}.
 */
enum ConfigKey {
  INPUT_MANIFESTS(
      "input.manifests",
      "",
      "Manifests: paths, directories or globs such as m/{a,b}*.jsonl, comma-separated. Required."),
  OUTPUT_PATH("output.path", "", "Directory of the dataset that is written. Required."),
  OUTPUT_RESTART(
      "output.restart",
      "false",
      "Discard unfinished work of another configuration or input at the output."),
  MODEL_PATH(
      "model.path",
      "",
      "Model directory with tokenizer.json and preprocessor_config.json. Required."),

  IMAGE_ROOT(
      "image.root", "", "Where relative image paths start; empty: the manifest's directory."),
  IMAGE_ALLOWED_ROOTS(
      "image.allowed-roots",
      "",
      "More URI prefixes that manifests may name images under, comma-separated."),
  IMAGE_FORMATS("image.formats", "jpeg,png,webp,gif,bmp", "Formats that may reach the decoders."),
  IMAGE_MAX_BYTES("image.max-bytes", "64m", "Longest encoded image."),
  IMAGE_MAX_COUNT("image.max-count", "1000", "Most images of a sample."),
  IMAGE_MAX_PIXELS("image.max-pixels", "178956970", "Most pixels an image may declare."),
  IMAGE_EXIF_ORIENTATION(
      "image.exif-orientation", "true", "Turn images upright as their EXIF orientation says."),

  VISION_KERNEL(
      "vision.kernel", "torch", "Resize kernel: torch (the reference's default) or pillow."),
  VISION_SIMD(
      "vision.simd", "auto", "Code path of the kernels: auto, plain or vector; same bytes."),
  VISION_MIN_PIXELS(
      "vision.min-pixels", "", "Least pixels after resizing; empty: as preprocessor_config.json."),
  VISION_MAX_PIXELS(
      "vision.max-pixels", "", "Most pixels after resizing; empty: as preprocessor_config.json."),
  PIXELS_ENCODING(
      "pixels.encoding", "uint8", "Pixel values in the shards: uint8, bfloat16 or float32."),
  PIXELS_TEMPORAL(
      "pixels.temporal", "single", "Temporal slots of an image's patches: single or duplicated."),

  TEXT_TEMPLATE(
      "text.template",
      "auto",
      "Chat template: auto (recognised by the hash of the model's file) or qwen3-vl-instruct."),
  TEXT_CONTROL_TOKENS(
      "text.control-tokens",
      "plain",
      "Control tokens spelled in text: plain (as text), reject or literal."),
  TEXT_LABELS(
      "text.labels",
      "structure",
      "What is trained: structure (the answers) or finetune (the official code's quirks too)."),
  TEXT_MAX_CHARS("text.max-chars", "1000000", "Most characters of a sample's text."),
  TURNS_MERGE_CONSECUTIVE(
      "turns.merge-consecutive",
      "false",
      "Join consecutive turns of one role by a newline; false: reject the row."),
  TURNS_DROP_LEADING_ANSWER(
      "turns.drop-leading-answer",
      "false",
      "Drop an answer before the first question; false: reject the row."),
  TURNS_KEEP_EMPTY_ANSWERS(
      "turns.keep-empty-answers",
      "false",
      "Keep an empty answer and train its end; false: reject the row."),
  SAMPLE_MAX_TIME(
      "sample.max-time", "5m", "Longest work on one sample, fetching aside; more is rejected."),

  PACK_ENABLED(
      "pack.enabled", "true", "Concatenate samples into packs; false: one sample per row."),
  PACK_MAX_TOKENS("pack.max-tokens", "4096", "Most tokens of a pack; longer samples are rejected."),
  PACK_WINDOW("pack.window", "512", "Samples that wait for a fitting pack."),
  PACK_WINDOW_BYTES("pack.window-bytes", "128m", "Encoded bytes that wait for a fitting pack."),

  SHARD_MAX_BYTES("shard.max-bytes", "512m", "Length at which a shard ends; at most 1g."),
  BLOCK_BYTES("block.bytes", "8m", "Length at which a block ends; at most 256m."),

  SHUFFLE_SEED("shuffle.seed", "0", "Seed of the global shuffle."),
  SHUFFLE_PARTITION_ROWS(
      "shuffle.partition-rows", "2048", "Manifest rows per partition; a partition is one task."),
  MANIFEST_SPLIT_BYTES(
      "manifest.split-bytes", "32m", "Byte range of a manifest that one task reads."),
  MANIFEST_MAX_LINE_BYTES("manifest.max-line-bytes", "16m", "Longest manifest line."),

  FETCH_CONCURRENCY("fetch.concurrency", "32", "Requests in flight per executor core."),
  FETCH_WINDOW("fetch.window", "64", "Samples of a task that are fetched ahead."),
  FETCH_WINDOW_BYTES(
      "fetch.window-bytes", "64m", "Fetched bytes of a task that wait to be decoded."),
  FETCH_ATTEMPTS(
      "fetch.attempts", "10", "Requests for one object that may fail before the job does."),
  FETCH_TIMEOUT("fetch.timeout", "30s", "Longest wait for an answer to begin."),
  FETCH_MIN_RATE(
      "fetch.min-rate",
      "16k",
      "Bytes per second below which, after fetch.timeout, the request is made again."),
  FETCH_DEADLINE(
      "fetch.deadline", "5m", "Longest time for one object, however busy or far away the store."),

  REJECTS_MAX_FRACTION(
      "rejects.max-fraction", "0.01", "Share of rejected rows above which the job fails."),
  REJECTS_MIN_TOLERATED(
      "rejects.min-tolerated", "100", "Rejected rows that are tolerated whatever their share."),

  PROGRESS_INTERVAL("progress.interval", "5s", "How often progress is printed; 0s: never.");

  private final String key;
  private final String defaultValue;
  private final String comment;

  ConfigKey(String key, String defaultValue, String comment) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.comment = comment;
  }

  String key() {
    return key;
  }

  /** Whether another value gives another dataset: other samples, other bytes or another order. */
  boolean affectsContent() {
    return switch (this) {
      case INPUT_MANIFESTS,
          OUTPUT_PATH,
          OUTPUT_RESTART,
          MODEL_PATH,
          VISION_SIMD,
          FETCH_CONCURRENCY,
          FETCH_WINDOW,
          FETCH_WINDOW_BYTES,
          FETCH_ATTEMPTS,
          FETCH_TIMEOUT,
          FETCH_MIN_RATE,
          FETCH_DEADLINE,
          REJECTS_MAX_FRACTION,
          REJECTS_MIN_TOLERATED,
          PROGRESS_INTERVAL ->
          false;
      default -> true;
    };
  }

  String defaultValue() {
    return defaultValue;
  }

  /** The configuration file in which every key has its default. */
  static String defaultFile() {
    return Arrays.stream(values())
        .map(k -> "# %s\n%s = %s".formatted(k.comment, k.key, k.defaultValue).strip() + "\n")
        .collect(
            Collectors.joining(
                "\n", "# Stoker: every key of the preprocess job with its default.\n\n", ""));
  }
}
