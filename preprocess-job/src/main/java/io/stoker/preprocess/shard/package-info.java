/**
 * Packs to shards: aligned Arrow blocks, streamed with their checksums. Stands between {@code
 * pack}, which decides what goes together, and {@code commit}, which publishes. The format is
 * specified in {@link io.stoker.format}.
 */
@NullMarked
package io.stoker.preprocess.shard;

import org.jspecify.annotations.NullMarked;
