/** The dataset index. */
@NullMarked
package io.stoker.index;

import org.jspecify.annotations.NullMarked;
