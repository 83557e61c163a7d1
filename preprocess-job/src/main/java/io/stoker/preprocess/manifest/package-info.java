/** Stage manifest. */
@NullMarked
package io.stoker.preprocess.manifest;

import org.jspecify.annotations.NullMarked;
