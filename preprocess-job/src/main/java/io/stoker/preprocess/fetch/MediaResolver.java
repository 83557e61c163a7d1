package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.fetch.Location.notAllowed;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Media reference → {@link MediaSource}. Keys are opaque: no percent-decoding and no normalisation,
 * except that {@code ..} is resolved so that it cannot leave the allowed roots. Thread-safe.
 */
public final class MediaResolver {
  private static final String DATA = "data:";
  private static final Pattern WHITE_SPACE = Pattern.compile("[ \\t\\r\\n]+");
  private static final int MAX_S3_KEY_BYTES = 1024;

  private final @Nullable Location root;
  private final List<Location> allowedRoots;
  private final Set<Location> manifestDirectories = new HashSet<>();

  /** A resolver for a job that gets no rejected rows back. */
  public MediaResolver(FetchSettings settings) {
    this(settings, List.of());
  }

  /**
   * @param manifestDirectories where this job's manifests lie, each with a slash at its end
   * @throws IllegalArgumentException if a configured root is not an absolute URI
   */
  public MediaResolver(FetchSettings settings, List<String> manifestDirectories) {
    for (String directory : manifestDirectories) {
      try {
        this.manifestDirectories.add(Location.parse(directory).withoutParents().directory());
      } catch (SampleRejectedException e) {
        // Images are never fetched from such a store, so its rows need an image.root.
        continue;
      }
    }
    this.root = settings.root().isEmpty() ? null : root(settings.root());
    this.allowedRoots = settings.allowedRoots().stream().map(MediaResolver::root).toList();
  }

  /**
   * Checks a configured root.
   *
   * @throws IllegalArgumentException if it is not an absolute URI
   */
  public static void checkRoot(String uri) {
    root(uri);
  }

  private static Location root(String uri) {
    try {
      Location root = Location.parse(uri.startsWith("/") ? "file:" + uri : uri).withoutParents();
      return root.key().endsWith("/") ? root.directory() : root;
    } catch (SampleRejectedException e) {
      throw new IllegalArgumentException(
          "expected a root such as s3a://bucket/prefix or /directory, found '%s'"
              .formatted(SafeText.reference(uri)),
          e);
    }
  }

  /**
   * Resolves a reference.
   *
   * @param reference path or URI as the manifest spells it
   * @param manifestUri URI of the manifest, whose directory is the default base
   * @throws SampleRejectedException with {@code path_not_allowed} if the reference is malformed or
   *     points outside the allowed roots
   */
  public MediaSource resolve(String reference, String manifestUri) throws SampleRejectedException {
    if (reference.regionMatches(true, 0, DATA, 0, DATA.length())) {
      return new MediaSource.Inline(decodeData(reference));
    }
    refuseUnusable(reference);
    Location base = root == null ? Location.parse(manifestUri).directory() : root;
    Location target = absolute(reference, base).withoutParents();
    List<Location> roots = new ArrayList<>(allowedRoots);
    roots.add(base);
    if (roots.stream().noneMatch(target::isUnder)) {
      throw notAllowed(
          "expected a reference under %s, found %s; add its root to image.allowed-roots if it is meant"
              .formatted(base, SafeText.reference(reference)));
    }
    refuseImpossibleKeys(target, reference);
    return new MediaSource.Stored(
        target.scheme(),
        target.authority(),
        target.key(),
        roots.stream().filter(target::isInStoreOf).map(Location::key).toList());
  }

  /**
   * Checks the origin that a fed-back row claims. Its relative references start there, so it must
   * not be free to name any place.
   *
   * @throws SampleRejectedException with {@code path_not_allowed} if this job may not read there
   *     anyway
   */
  void checkOrigin(String manifestUri) throws SampleRejectedException {
    if (root != null) {
      return;
    }
    Location directory = Location.parse(manifestUri).withoutParents().directory();
    if (!manifestDirectories.contains(directory)
        && allowedRoots.stream().noneMatch(r -> directory.equals(r) || directory.isUnder(r))) {
      throw notAllowed(
          "expected a row of a manifest beside this job's, found one of %s; set image.root, or image.allowed-roots to the directory of that manifest"
              .formatted(SafeText.reference(manifestUri)));
    }
  }

  private static Location absolute(String reference, Location base) throws SampleRejectedException {
    if (Location.isAbsolute(reference)) {
      return Location.parse(reference);
    }
    return reference.startsWith("/")
        ? Location.parse(Location.FILE + ":" + reference)
        : base.child(reference);
  }

  private static void refuseUnusable(String reference) throws SampleRejectedException {
    if (reference.isBlank()) {
      throw notAllowed("expected a path or URI, found an empty one");
    }
    if (reference.chars().anyMatch(Character::isISOControl)) {
      throw notAllowed(
          "expected a path without control characters, found " + SafeText.reference(reference));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(reference)) {
      throw notAllowed("expected a path in valid Unicode, found " + SafeText.reference(reference));
    }
  }

  /**
   * Refuses keys that the store would refuse, because that would look like a fault of the store.
   */
  private static void refuseImpossibleKeys(Location target, String reference)
      throws SampleRejectedException {
    if (target.key().isEmpty()) {
      throw notAllowed("expected the key of an object, found " + SafeText.reference(reference));
    }
    int bytes = target.key().getBytes(StandardCharsets.UTF_8).length;
    if (target.scheme().equals(Location.S3A) && bytes > MAX_S3_KEY_BYTES) {
      throw notAllowed(
          "expected a key of at most %d bytes, found %d".formatted(MAX_S3_KEY_BYTES, bytes));
    }
  }

  private static byte[] decodeData(String reference) throws SampleRejectedException {
    int comma = reference.indexOf(',');
    if (comma < 0 || !reference.substring(0, comma).endsWith(";base64")) {
      throw notAllowed("expected data:<type>;base64,<bytes>, found another data: URI");
    }
    try {
      // The MIME decoder would skip every character that is not base64.
      String text = WHITE_SPACE.matcher(reference.substring(comma + 1)).replaceAll("");
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw notAllowed("expected base64 in the data: URI, found something else");
    }
  }
}
