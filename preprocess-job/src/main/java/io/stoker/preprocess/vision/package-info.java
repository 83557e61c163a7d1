/** Stage vision. */
@NullMarked
package io.stoker.preprocess.vision;

import org.jspecify.annotations.NullMarked;
