package io.stoker.cli;

import io.stoker.format.BlockLayout;
import io.stoker.plan.Delivery;
import io.stoker.plan.EpochPlan;
import io.stoker.plan.PlanSettings;
import io.stoker.plan.RankSpec;
import io.stoker.reader.DatasetView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a sample lies in a dataset.
 *
 * @param block row of the block table
 * @param shard name of the shard
 * @param pack pack in the block
 * @param segment sample in the pack
 */
record FoundSample(int block, String shard, int pack, int segment) {
  /** All samples of an id, in the order of the block table: ids need not be unique. */
  static List<FoundSample> search(DatasetView view, String id) throws IOException {
    List<FoundSample> found = new ArrayList<>();
    for (int block = 0; block < view.blocks().blocks(); block++) {
      BlockLayout layout = view.block(block);
      for (int pack = 0; pack < layout.packs(); pack++) {
        List<String> ids = layout.sampleIds(pack);
        for (int segment = 0; segment < ids.size(); segment++) {
          if (ids.get(segment).equals(id)) {
            String shard = view.dataset().shards().get(view.blocks().shard(block)).name();
            found.add(new FoundSample(block, shard, pack, segment));
          }
        }
      }
    }
    return found;
  }

  Report toReport(EpochPlan plan, PlanSettings settings, int worldSize) {
    List<Report> deliveries =
        plan.deliveries(block, pack).stream()
            .map(
                delivery ->
                    new Report()
                        .add("step", delivery.step())
                        .add("rank", rank(delivery, settings, worldSize))
                        .add("lane", delivery.lane())
                        .add("slot", delivery.slot())
                        .addJson("padding", delivery.padding()))
            .toList();
    return new Report()
        .add("block", block)
        .add("shard", shard)
        .add("pack", pack)
        .add("segment", segment)
        .addJson("deliveries", deliveries);
  }

  void printText(PrintWriter out, EpochPlan plan, PlanSettings settings, int worldSize) {
    out.printf("block %d (%s), pack %d, segment %d%n", block, shard, pack, segment);
    List<Delivery> deliveries = plan.deliveries(block, pack);
    for (Delivery delivery : deliveries) {
      out.printf(
          "  epoch %d, step %d of %d, rank %d of %d, lane %d of %d, slot %d%s%n",
          plan.epoch(),
          delivery.step(),
          plan.steps(),
          rank(delivery, settings, worldSize),
          worldSize,
          delivery.lane(),
          settings.lanes(),
          delivery.slot(),
          delivery.padding() ? ", padding" : "");
    }
    if (deliveries.isEmpty()) {
      out.printf("  not in epoch %d: it is in the remainder, which is dropped%n", plan.epoch());
    }
  }

  private static int rank(Delivery delivery, PlanSettings settings, int worldSize) {
    return RankSpec.serving(delivery.lane(), settings, worldSize).rank();
  }
}
