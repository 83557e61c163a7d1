/**
 * The {@code stoker} command: looks at datasets from a terminal. Stands on {@code reader}; nothing
 * stands on it, and a trainer never loads it.
 */
@NullMarked
package io.stoker.cli;

import org.jspecify.annotations.NullMarked;
