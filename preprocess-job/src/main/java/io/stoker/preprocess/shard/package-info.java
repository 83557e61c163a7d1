/** Stage shard. */
@NullMarked
package io.stoker.preprocess.shard;

import org.jspecify.annotations.NullMarked;
