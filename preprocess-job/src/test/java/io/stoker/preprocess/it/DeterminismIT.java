package io.stoker.preprocess.it;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The same input gives the same bytes, whatever runs the job and however. Each test changes several
 * things at once that must not matter.
 */
@ExtendWith(Lab.Resolver.class)
class DeterminismIT {
  private final Lab lab;

  DeterminismIT(Lab lab) {
    this.lab = lab;
  }

  private void assertSameAsReference(String name, Submission submission) throws IOException {
    lab.dataset(name, submission).assertSameAs(lab.reference());
  }

  @Test
  void onFourCoresWithPlainKernelsAndNoFetchingAhead() throws IOException {
    assertSameAsReference(
        "four-cores",
        lab.submission("four-cores")
            .quick()
            .master("local[4]")
            .set("vision.simd", "plain")
            .set("fetch.window", "1")
            .set("fetch.concurrency", "1"));
  }

  @Test
  void aSecondTime() throws IOException {
    assertSameAsReference(
        "again", lab.submission("again").quick().master("local[1]").set("fetch.window-bytes", "1"));
  }

  /** Turkish has another lower case of I; the charset maps every byte to some letter. */
  @Test
  void inTurkishWithVectorKernels() throws IOException {
    assertSameAsReference(
        "turkish",
        lab.submission("turkish")
            .master("local[2]")
            .set("vision.simd", "vector")
            .set("fetch.window", "64")
            .java("-Duser.language=tr", "-Duser.country=TR")
            .java("-Dfile.encoding=ISO-8859-1", "-Duser.timezone=Pacific/Apia"));
  }

  /** Arabic as in Egypt has digits of its own. */
  @Test
  void inArabicWithAscii() throws IOException {
    assertSameAsReference(
        "arabic",
        lab.submission("arabic")
            .quick()
            .master("local[2]")
            .java("-Duser.language=ar", "-Duser.country=EG")
            .java("-Dfile.encoding=US-ASCII", "-Duser.timezone=Africa/Cairo"));
  }
}
