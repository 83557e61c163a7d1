/** Stage pack. */
@NullMarked
package io.stoker.preprocess.pack;

import org.jspecify.annotations.NullMarked;
