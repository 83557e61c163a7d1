package io.stoker.preprocess.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The job on a cluster, where driver and executors are processes of their own. */
@ExtendWith(Lab.Resolver.class)
@ResourceLock(Cluster.CORES)
class ClusterIT {
  private final Lab lab;

  ClusterIT(Lab lab) {
    this.lab = lab;
  }

  /**
   * The executors have another locale than the driver, and the settings are those of production.
   */
  @Test
  void writesTheBytesOfOneCore() throws IOException {
    Cluster cluster = lab.cluster();
    long first = cluster.executors(Cluster.WORKERS.get(0));
    long second = cluster.executors(Cluster.WORKERS.get(1));
    DatasetFiles files =
        lab.dataset(
            "cluster",
            cluster
                .submission(
                    "cluster",
                    "-Duser.language=ar",
                    "-Duser.country=EG",
                    "-Duser.timezone=Pacific/Apia",
                    "-Dfile.encoding=ISO-8859-1")
                .spark(
                    "--properties-file", Lab.TOP.resolve("conf/spark-standalone.conf").toString())
                .spark("--conf", "spark.cores.max=2"));
    files.assertSameAs(lab.reference());
    assertEquals(first + 1, cluster.executors(Cluster.WORKERS.get(0)));
    assertEquals(second + 1, cluster.executors(Cluster.WORKERS.get(1)));
  }
}
