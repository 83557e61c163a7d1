/**
 * Finished samples → packs. Pure arithmetic over token counts, engine-free and deterministic: the
 * same sequence of samples always gives the same packs. Follows {@code text} and precedes {@code
 * shard}.
 */
@NullMarked
package io.stoker.preprocess.pack;

import org.jspecify.annotations.NullMarked;
