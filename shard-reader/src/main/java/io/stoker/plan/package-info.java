/**
 * Which packs a rank reads at which step: pure arithmetic over the block table, without I/O, clock
 * or state. Third in the flow format ← index ← plan ← reader.
 *
 * <p>The order of the blocks is a permutation computed from (seed, epoch); the packs of a block
 * stay together and in order. The sequence is cut into as many equal segments as there are lanes,
 * and a lane walks through its segment. A rank serves neighbouring lanes. So the global batch of a
 * step does not depend on the number of ranks, every rank has the same number of steps, a block is
 * read by one lane (two, where a cut falls into it), and any step is found without walking to it;
 * so is the step at which a given pack is read. What does not fill a last step, less than one
 * global batch, is dropped, other packs in another epoch; or the step is filled up with packs of
 * zero loss: {@link io.stoker.plan.Remainder}.
 *
 * <p>The permutation is part of the contract: a {@link io.stoker.plan.Cursor} finds the same packs
 * with any later version. Plan and cursor are specified in {@link io.stoker.format}, sections 7 and
 * 8.
 */
@NullMarked
package io.stoker.plan;

import org.jspecify.annotations.NullMarked;
