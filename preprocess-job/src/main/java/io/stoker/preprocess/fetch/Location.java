package io.stoker.preprocess.fetch;

import static io.stoker.preprocess.reject.RejectReason.PATH_NOT_ALLOWED;

import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.reject.SampleRejectedException;
import io.stoker.preprocess.store.S3aUri;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parsed URI of a store.
 *
 * @param scheme in lower case; {@code s3} is {@code s3a}
 * @param authority bucket or host; empty for local files
 * @param key what follows, opaque, without leading slash
 */
record Location(String scheme, String authority, String key) {
  static final String FILE = "file";
  static final String S3A = S3aUri.SCHEME;

  private static final Pattern LOCAL = Pattern.compile("(?i)file:/+(.*)", Pattern.DOTALL);
  private static final Pattern ABSOLUTE =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://([^/]*)(?:/(.*))?", Pattern.DOTALL);

  /** Whether a text is a URI of a store, and no relative key. */
  static boolean isAbsolute(String text) {
    return LOCAL.matcher(text).matches() || ABSOLUTE.matcher(text).matches();
  }

  /**
   * Parses an absolute URI.
   *
   * @throws SampleRejectedException if it is not one, or names a kind of store that is never read
   */
  static Location parse(String uri) throws SampleRejectedException {
    Matcher local = LOCAL.matcher(uri);
    if (local.matches()) {
      return new Location(FILE, "", local.group(1));
    }
    Matcher absolute = ABSOLUTE.matcher(uri);
    if (!absolute.matches()) {
      throw notAllowed("expected scheme://bucket/key, found " + SafeText.reference(uri));
    }
    String scheme = S3aUri.scheme(absolute.group(1).toLowerCase(Locale.ROOT));
    String authority = absolute.group(2);
    // A bucket has no port, so that what follows a colon can only be a secret.
    boolean userInfo = authority.contains("@") || (scheme.equals(S3A) && authority.contains(":"));
    if (scheme.startsWith("http") || userInfo) {
      throw notAllowed(
          "expected an object of a configured store, found " + SafeText.reference(uri));
    }
    String key = absolute.group(3);
    return new Location(scheme, authority, key == null ? "" : key);
  }

  /**
   * The same without {@code ..}: {@code a/b/../c} is {@code a/c}. Every other segment is kept, also
   * {@code .} and empty ones, unless {@code ..} takes it away.
   *
   * @throws SampleRejectedException if it climbs out of the store
   */
  Location withoutParents() throws SampleRejectedException {
    Deque<String> kept = new ArrayDeque<>();
    for (String segment : key.split("/", -1)) {
      if (!segment.equals("..")) {
        kept.addLast(segment);
        continue;
      }
      String parent;
      do {
        parent = kept.pollLast();
      } while (parent != null && (parent.isEmpty() || parent.equals(".")));
      if (parent == null) {
        throw notAllowed(
            "expected a path inside its root, found %s, which climbs out of it".formatted(this));
      }
    }
    return new Location(scheme, authority, String.join("/", kept));
  }

  /** The directory that an object is in. */
  Location directory() {
    int slash = key.lastIndexOf('/');
    return new Location(scheme, authority, slash < 0 ? "" : key.substring(0, slash));
  }

  /** An object in a directory, this one. */
  Location child(String relative) {
    return new Location(scheme, authority, key.isEmpty() ? relative : key + "/" + relative);
  }

  boolean isUnder(Location root) {
    return isInStoreOf(root) && (root.key.isEmpty() || key.startsWith(root.key + "/"));
  }

  boolean isInStoreOf(Location other) {
    return scheme.equals(other.scheme) && authority.equals(other.authority);
  }

  static SampleRejectedException notAllowed(String detail) {
    return new SampleRejectedException(PATH_NOT_ALLOWED, detail);
  }

  /** The URI without secrets, for messages. */
  @Override
  public String toString() {
    return SafeText.reference(scheme + "://" + authority + "/" + key);
  }
}
