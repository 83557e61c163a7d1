/**
 * The output file system: objects are written under a temporary state, then completed, aborted or
 * created only if absent; leftovers are listed and removed. What the objects mean is not known
 * here. {@code shard}, {@code report} and {@code commit} write through this package.
 */
@NullMarked
package io.stoker.preprocess.store;

import org.jspecify.annotations.NullMarked;
