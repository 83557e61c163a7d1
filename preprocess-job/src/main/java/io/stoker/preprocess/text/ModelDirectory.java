package io.stoker.preprocess.text;

import io.stoker.preprocess.manifest.Sha256;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The files of a model directory that the job needs, read once by the driver and sent along, so
 * that executors need no access to it.
 *
 * @param source URI of the directory, for messages
 * @param files content by file name; never modified
 */
public record ModelDirectory(String source, Map<String, byte[]> files) implements Serializable {
  /** The settings of the image processor. */
  public static final String PROCESSOR = "preprocessor_config.json";

  static final String TOKENIZER = "tokenizer.json";
  private static final List<String> REQUIRED = List.of(TOKENIZER, PROCESSOR);
  private static final int MAX_BYTES = 256 << 20;

  public ModelDirectory {
    files = Map.copyOf(files);
  }

  /**
   * Reads a directory on any Hadoop file system.
   *
   * @throws IOException if the tokenizer or the processor settings cannot be read; the message
   *     names the directory and what is expected there
   */
  public static ModelDirectory load(String directory, Configuration configuration)
      throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    FileSystem fileSystem = new Path(directory).getFileSystem(configuration);
    try {
      for (String name : REQUIRED) {
        files.put(name, read(fileSystem, new Path(directory, name)));
      }
    } catch (FileNotFoundException e) {
      throw new IOException(
          "expected %s in the model directory %s, found: %s (model.path is a directory or a URI; names on a hub are not downloaded)"
              .formatted(String.join(" and ", REQUIRED), directory, e.getMessage()),
          e);
    }
    for (String name : TemplateText.FILES) {
      Path path = new Path(directory, name);
      if (fileSystem.exists(path)) {
        files.put(name, read(fileSystem, path));
      }
    }
    return new ModelDirectory(directory, files);
  }

  private static byte[] read(FileSystem fileSystem, Path path) throws IOException {
    try (FSDataInputStream in = fileSystem.open(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      if (bytes.length == MAX_BYTES) {
        throw new IOException("expected less than %d bytes in %s".formatted(MAX_BYTES, path));
      }
      return bytes;
    }
  }

  /**
   * The bytes of a file.
   *
   * @throws ModelFileException if the directory has none of that name
   */
  public byte[] file(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new ModelFileException("expected %s, found none".formatted(uri(name)));
    }
    return bytes;
  }

  /** Where a file is, for messages. */
  public String uri(String name) {
    return source + "/" + name;
  }

  /** SHA-256 of each file in hexadecimal, by file name. */
  public Map<String, String> fingerprints() {
    Map<String, String> fingerprints = new TreeMap<>();
    files.forEach((name, bytes) -> fingerprints.put(name, Sha256.hex(bytes)));
    return fingerprints;
  }

  /**
   * Name of the chat template that a setting selects.
   *
   * @param setting a name, or {@value TextSettings#AUTO}
   * @throws ModelFileException if nothing known is selected; the message says what to set
   */
  public String templateName(String setting) {
    return ChatTemplate.select(setting, TemplateText.find(source, files), tokenizerFile())
        .templateName();
  }

  String tokenizerFile() {
    return uri(TOKENIZER);
  }

  byte[] tokenizerJson() {
    return file(TOKENIZER);
  }
}
