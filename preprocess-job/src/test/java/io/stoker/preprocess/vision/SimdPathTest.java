package io.stoker.preprocess.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimdPathTest {

  @Test
  void aChosenPathIsTaken() {
    assertInstanceOf(PlainLoops.class, SimdPath.PLAIN.loops());
    assertInstanceOf(VectorLoops.class, SimdPath.VECTOR.loops());
    assertTrue(SimdPath.PLAIN.rowResize(ResizeKernel.TORCH, new Scratch()).isEmpty());
    assertEquals(
        RowKernels.areWide(),
        SimdPath.VECTOR.rowResize(ResizeKernel.TORCH, new Scratch()).isPresent());
    assertNotEquals(SimdPath.AUTO, SimdPath.AUTO.resolve());
  }

  @Test
  void aJvmWithoutTheModuleFallsBackOrSaysWhatItNeeds() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java,
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            WithoutModule.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertEquals(
        """
        PLAIN 768
        the vector path needs module jdk.incubator.vector, which this JVM does not have: start it \
        with --add-modules jdk.incubator.vector or choose the auto or plain path
        """,
        output.replace("\r\n", "\n"));
  }

  /** Runs in a JVM of its own. */
  static final class WithoutModule {
    private WithoutModule() {}

    public static void main(String[] args) {
      Grid grid = new Grid(2, 2);
      VisionSettings settings = TestImages.checkpoint(ResizeKernel.TORCH);
      ImageProcessor processor = new ImageProcessor(settings, SimdPath.AUTO);
      byte[] patches = TestImages.patches(processor, TestImages.image(new byte[300], 10, 10), grid);
      System.out.println(SimdPath.AUTO.resolve() + " " + patches.length / 4);
      try {
        new ImageProcessor(settings, SimdPath.VECTOR);
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
