/** Stage sample. */
@NullMarked
package io.stoker.preprocess.sample;

import org.jspecify.annotations.NullMarked;
