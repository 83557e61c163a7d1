package io.stoker.preprocess.bench.ladder;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A loader process as Python's data loaders have them: makes every n-th batch and sends it, byte by
 * byte, through a pipe. Ends when its pipe is closed. Arguments: endpoint, bucket, batch, first,
 * stride.
 */
final class WorkerMain {
  private WorkerMain() {}

  public static void main(String[] args) throws Exception {
    int batch = Integer.parseInt(args[2]);
    int first = Integer.parseInt(args[3]);
    int stride = Integer.parseInt(args[4]);
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 20));
    try (ConcurrentFeed feed =
        new ConcurrentFeed(new SampleMaker(args[0], args[1]), batch, first * batch)) {
      while (true) {
        for (byte[] tensor : feed.make()) {
          out.writeInt(tensor.length);
          out.write(tensor);
        }
        out.flush();
        feed.skip(stride - 1);
      }
    } catch (IOException e) {
      // The trainer has gone.
    }
    System.exit(0);
  }
}
