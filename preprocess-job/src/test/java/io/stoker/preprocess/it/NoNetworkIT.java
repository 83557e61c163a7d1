package io.stoker.preprocess.it;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A local job in a network namespace that has nothing but loopback. */
@ExtendWith(Lab.Resolver.class)
class NoNetworkIT {
  private final Lab lab;

  NoNetworkIT(Lab lab) {
    this.lab = lab;
  }

  @Test
  void aLocalJobNeedsNone() throws IOException {
    lab.dataset(
            "no-network", lab.submission("no-network").quick().master("local[2]").withoutNetwork())
        .assertSameAs(lab.reference());
  }
}
