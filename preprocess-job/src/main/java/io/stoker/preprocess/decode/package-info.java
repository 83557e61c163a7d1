/** Stage decode. */
@NullMarked
package io.stoker.preprocess.decode;

import org.jspecify.annotations.NullMarked;
