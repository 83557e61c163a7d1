/** The reader. */
@NullMarked
package io.stoker.reader;

import org.jspecify.annotations.NullMarked;
