package io.stoker.preprocess.bench.ladder;

/** Rung 0: everything in the step, one sample after the other. */
final class SerialFeed implements Feed {
  private final SampleMaker maker;
  private final int batch;
  private int position;

  SerialFeed(SampleMaker maker, int batch) {
    this.maker = maker;
    this.batch = batch;
  }

  @Override
  public int next() throws Exception {
    byte[][] tensors = new byte[batch][];
    for (int i = 0; i < batch; i++) {
      tensors[i] = maker.process(maker.fetch(position++));
    }
    return tensors.length;
  }

  @Override
  public void close() {
    maker.close();
  }
}
