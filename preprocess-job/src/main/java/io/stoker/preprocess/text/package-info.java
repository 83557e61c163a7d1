/** Stage text. */
@NullMarked
package io.stoker.preprocess.text;

import org.jspecify.annotations.NullMarked;
