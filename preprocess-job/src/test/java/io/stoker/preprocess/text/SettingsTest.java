package io.stoker.preprocess.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stoker.preprocess.sample.SampleSettings;
import io.stoker.preprocess.text.TextSettings.ControlTokenPolicy;
import io.stoker.preprocess.text.TextSettings.LabelMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settings cross Spark. */
class SettingsTest {
  @Test
  void survivesJavaSerialization() throws Exception {
    for (Serializable settings : List.of(SampleSettings.DEFAULTS, TextSettings.DEFAULTS)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(settings);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertEquals(settings, in.readObject());
      }
    }
  }

  @Test
  void checksItsValues() {
    assertEquals(
        "expected a template name, found an empty one",
        assertThrows(
                IllegalArgumentException.class,
                () -> new TextSettings("", ControlTokenPolicy.PLAIN, LabelMode.STRUCTURE))
            .getMessage());
    assertEquals(
        "expected as many labels as ids and three times as many positions, found 1, 2 and 6",
        assertThrows(
                IllegalArgumentException.class,
                () -> new EncodedText(new long[2], new long[1], new long[6], 1))
            .getMessage());
  }
}
