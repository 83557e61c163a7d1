/** The shard format. */
@NullMarked
package io.stoker.format;

import org.jspecify.annotations.NullMarked;
