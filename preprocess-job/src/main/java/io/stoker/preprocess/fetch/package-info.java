/** Stage fetch. */
@NullMarked
package io.stoker.preprocess.fetch;

import org.jspecify.annotations.NullMarked;
