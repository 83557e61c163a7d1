package io.stoker.cli;

import io.stoker.format.BlockLayout;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PackRange;
import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One pack of a step.
 *
 * @param lane lane
 * @param block row of the block table
 * @param shard name of the shard
 * @param offset first byte of the block in the shard
 * @param pack pack in the block
 * @param padding whether it only fills the step up
 * @param sampleIds its samples
 */
record PlannedPack(
    int lane,
    int block,
    String shard,
    long offset,
    int pack,
    boolean padding,
    List<String> sampleIds) {
  /** The packs of the lanes in [from, to) at a step, by lane. */
  static List<PlannedPack> ofStep(DatasetView view, EpochPlan plan, long step, int from, int to)
      throws IOException {
    List<PlannedPack> packs = new ArrayList<>();
    for (int lane = from; lane < to; lane++) {
      for (PackRange range : plan.ranges(step, lane)) {
        int block = range.block();
        BlockLayout layout = view.block(block);
        String shard = view.dataset().shards().get(view.blocks().shard(block)).name();
        long offset = view.blocks().entry(block).offset();
        for (int pack = range.first(); pack < range.first() + range.count(); pack++) {
          packs.add(
              new PlannedPack(
                  lane, block, shard, offset, pack, range.padding(), layout.sampleIds(pack)));
        }
      }
    }
    return packs;
  }

  Report toReport() {
    return new Report()
        .add("lane", lane)
        .add("block", block)
        .add("shard", shard)
        .add("offset", offset)
        .add("pack", pack)
        .addJson("padding", padding)
        .addJson("samples", sampleIds);
  }

  String toText() {
    return String.format(
        Locale.ROOT,
        "  lane %d: block %d (%s at %d), pack %d%s: %s",
        lane,
        block,
        shard,
        offset,
        pack,
        padding ? ", padding" : "",
        Report.printable(String.join(" ", sampleIds)));
  }
}
