package io.stoker.preprocess.text;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.CharSpan;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.util.Map;

/**
 * One tokenizer of the Hugging Face library. Thread-safe; the native memory is freed by {@link
 * #close}, which no call may overlap.
 */
final class NativeTokenizer implements AutoCloseable {
  /** Without these the library cuts at 512 tokens and adds tokens of its own. */
  private static final Map<String, String> OPTIONS =
      Map.of("truncation", "false", "padding", "false", "addSpecialTokens", "false");

  private final HuggingFaceTokenizer tokenizer;

  /**
   * @param source where the file is from, for messages
   * @param json a {@code tokenizer.json}
   */
  NativeTokenizer(String source, byte[] json) {
    goOffline();
    try {
      this.tokenizer = HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(json), OPTIONS);
    } catch (IOException | RuntimeException e) {
      throw new ModelFileException("the tokenizer library refuses " + source, e);
    }
  }

  /**
   * DJL calls a cloud metadata address unless it is told not to. It must be told before its first
   * class is loaded. A value that the user has set stays.
   */
  private static void goOffline() {
    if (System.getProperty("ai.djl.offline") == null) {
      System.setProperty("ai.djl.offline", "true");
    }
  }

  /**
   * Token ids of a stretch of text, which has to be valid Unicode (a lone surrogate would silently
   * become another character). The native library is asked for the ids alone, because the ordinary
   * call also builds a string, masks and a span for every token, and takes 1.1 to 1.8 times as
   * long.
   */
  long[] encode(String text) {
    long encoding = TokenizersLibrary.LIB.encode(tokenizer.getHandle(), text, false);
    try {
      return TokenizersLibrary.LIB.getTokenIds(encoding);
    } finally {
      TokenizersLibrary.LIB.deleteEncoding(encoding);
      // DJL frees the tokenizer in a finalizer: it must not run under the call above.
      Reference.reachabilityFence(tokenizer);
    }
  }

  /**
   * Tokens that hold at least one of the first characters of a text. Slower than {@link #encode}.
   *
   * @param codePoints how many first characters count
   */
  int tokensWithin(String text, int codePoints) {
    Encoding encoding = tokenizer.encode(text, false, false);
    int tokens = 0;
    for (CharSpan span : encoding.getCharTokenSpans()) {
      if (span != null && span.getStart() >= codePoints) {
        break;
      }
      tokens++;
    }
    return tokens;
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
