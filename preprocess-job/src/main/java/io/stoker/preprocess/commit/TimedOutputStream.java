package io.stoker.preprocess.commit;

import java.io.IOException;
import java.io.OutputStream;

/** Counts the time that an output stream takes as {@link Stage#UPLOAD_WAIT}. Never closes it. */
final class TimedOutputStream extends OutputStream {
  private final OutputStream out;
  private final StageClock clock;

  TimedOutputStream(OutputStream out, StageClock clock) {
    this.out = out;
    this.clock = clock;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    clock.<@org.jspecify.annotations.Nullable Void, IOException, RuntimeException>time(
        Stage.UPLOAD_WAIT,
        () -> {
          out.write(bytes, offset, length);
          return null;
        });
  }
}
