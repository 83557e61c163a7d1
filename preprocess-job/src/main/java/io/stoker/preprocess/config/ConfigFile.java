package io.stoker.preprocess.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads configuration files and lays overrides over them. */
public final class ConfigFile {
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private ConfigFile() {}

  /**
   * Values by key.
   *
   * @param file a properties file in UTF-8, or null for none
   * @param overrides go before the file
   * @throws ConfigException if the file cannot be read or is malformed
   */
  public static Map<String, String> read(@Nullable Path file, Map<String, String> overrides)
      throws ConfigException {
    Map<String, String> values = new TreeMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        reader.mark(1);
        if (reader.read() != BYTE_ORDER_MARK) {
          reader.reset();
        }
        properties.load(reader);
      } catch (NoSuchFileException e) {
        throw new ConfigException(
            List.of("expected a configuration file at %s, found none".formatted(file)));
      } catch (CharacterCodingException e) {
        throw new ConfigException(List.of("%s is not UTF-8 text".formatted(file)));
      } catch (IOException e) {
        throw new ConfigException(List.of("cannot read %s: %s".formatted(file, e.getMessage())));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(
            List.of("%s is no properties file: %s".formatted(file, e.getMessage())));
      }
      for (String key : properties.stringPropertyNames()) {
        values.put(key, properties.getProperty(key));
      }
    }
    values.putAll(overrides);
    return values;
  }
}
