package io.stoker.preprocess.commit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.stoker.preprocess.manifest.ManifestLine;
import io.stoker.preprocess.reject.SafeText;
import io.stoker.preprocess.sample.Rejection;
import io.stoker.preprocess.shard.Attempt;
import io.stoker.preprocess.store.OutputStore;
import io.stoker.preprocess.store.StagedFile;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The quarantine of one partition: one JSON object per rejected row, with the reason, where the row
 * stands and the row itself as text ({@code record}), or as base64 ({@code record-base64}) when it
 * is no UTF-8. The object is created with the first rejection. Not thread-safe.
 */
public final class RejectsWriter implements Closeable {
  private static final JsonFactory JSON = new JsonFactory();

  private final OutputStore store;
  private final String name;
  private final Map<String, Long> counts = new TreeMap<>();
  private @Nullable StagedFile file;

  public RejectsWriter(OutputStore store, Attempt attempt) {
    this.store = store;
    this.name = attempt.rejectsName();
  }

  /** Writes a rejection down. */
  public void add(Rejection rejection) throws IOException {
    if (file == null) {
      file = store.stage(name);
    }
    file.stream().write(toJson(rejection));
    counts.merge(rejection.reason().code(), 1L, Long::sum);
  }

  private static byte[] toJson(Rejection rejection) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ManifestLine line = rejection.line();
    byte[] record = SafeText.withoutSecrets(line.bytes());
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("reason", rejection.reason().code());
      json.writeStringField("detail", wellFormed(rejection.detail()));
      json.writeStringField("manifest", line.provenance().manifest());
      json.writeNumberField("offset", line.provenance().offset());
      json.writeNumberField("line", line.provenance().line());
      try {
        CharSequence text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(record));
        json.writeStringField("record", text.toString());
      } catch (CharacterCodingException e) {
        json.writeFieldName("record-base64");
        json.writeBinary(record);
      }
      json.writeEndObject();
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** A detail may quote a part of the row, and a lone surrogate in it must not end the job. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** Rejected rows by reason code. */
  public Map<String, Long> counts() {
    return counts;
  }

  /** Completes the object; returns its name, or null when nothing was rejected. */
  public @Nullable String finish() throws IOException {
    if (file == null) {
      return null;
    }
    file.publish();
    return name;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
