package io.stoker.reader;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What a reader tells the JDK's Flight Recorder; costs nothing while none runs. */
final class ReaderEvents {
  private ReaderEvents() {}

  @Name("stoker.Map")
  @Label("Block mapped")
  @Description("A block was made readable and verified; the duration is all of it")
  @Category("Stoker")
  @StackTrace(false)
  static final class Map extends Event {
    @Label("Shard")
    String shard = "";

    @Label("Offset")
    long offset;

    @Label("Length")
    @DataAmount
    long length;
  }

  @Name("stoker.Miss")
  @Label("Block fetched")
  @Description("A block was not on this machine; the duration is that of the transfer")
  @Category("Stoker")
  @StackTrace(false)
  static final class Miss extends Event {
    @Label("Shard")
    String shard = "";

    @Label("Offset")
    long offset;

    @Label("Length")
    @DataAmount
    long length;
  }

  @Name("stoker.Wait")
  @Label("Trainer waited")
  @Description("next() had to wait for its batch")
  @Category("Stoker")
  @StackTrace(false)
  static final class Wait extends Event {
    @Label("Epoch")
    long epoch;

    @Label("Step")
    long step;

    @Label("Lane")
    int lane;
  }
}
