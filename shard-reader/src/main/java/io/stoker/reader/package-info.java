/**
 * Feeds one training process: {@link io.stoker.reader.RankReader} fetches, verifies and validates
 * blocks on background threads and hands out batches whose tensors are views of them. Last in the
 * flows format ← index ← plan ← reader and store ← cache ← reader.
 *
 * <pre>
 * plan → Prefetcher → BlockSource → DatasetStore: mapped in place (local)
 *            │             └──────→ BlockCache:  mapped file, shared by the ranks of a node (remote)
 *            ↓                      or memory of its own
 *        BatchQueue → RankReader.next() → Batch
 * </pre>
 *
 * <p>The training thread copies nothing, and reads no page for the first time: the checksum has
 * walked over all of them before. Everything that can go wrong with a dataset surfaces in {@code
 * next()}, in the place where the batch would have been.
 *
 * <p>Memory of blocks, mapped or not, is never released by hand: a view that can still be reached
 * can still be read, and the collector takes the memory after the last view. Blocks of a remote
 * dataset without a cache, and micro-batches that span blocks, live in direct memory; {@code
 * -XX:MaxDirectMemorySize} (the size of the heap, if not set) must exceed the prefetch budget and
 * what the trainer holds, and the JVM collects garbage when it is reached.
 *
 * <p>The Arrow vectors are optional: only {@link io.stoker.reader.ArrowBatches} refers to their
 * library.
 */
@NullMarked
package io.stoker.reader;

import org.jspecify.annotations.NullMarked;
