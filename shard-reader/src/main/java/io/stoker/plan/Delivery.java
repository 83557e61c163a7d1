package io.stoker.plan;

/**
 * One appearance of a pack in an epoch.
 *
 * @param step step in the epoch
 * @param lane lane of the step; {@link RankSpec#serving} names its rank
 * @param slot place in the micro-batch, in [0, micro batch)
 * @param padding whether it only fills the step up, with zero loss
 */
public record Delivery(long step, int lane, int slot, boolean padding) {}
