/** Stage spark. */
@NullMarked
package io.stoker.preprocess.spark;

import org.jspecify.annotations.NullMarked;
