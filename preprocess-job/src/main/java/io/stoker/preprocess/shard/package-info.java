/**
 * Packs to shards in the store: aligned Arrow blocks, streamed with their checksums by a thread
 * beside the task, and completed while the next shard is written. Stands between {@code pack},
 * which decides what goes together, and {@code commit}, which publishes. The format is specified in
 * {@link io.stoker.format}.
 */
@NullMarked
package io.stoker.preprocess.shard;

import org.jspecify.annotations.NullMarked;
