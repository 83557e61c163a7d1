/**
 * Keeps blocks of remote datasets on a local disk, shared by the ranks of a node: {@link
 * io.stoker.cache.BlockCache}, with locks between processes and a quota. Knows nothing of indexes
 * and plans.
 */
@NullMarked
package io.stoker.cache;

import org.jspecify.annotations.NullMarked;
