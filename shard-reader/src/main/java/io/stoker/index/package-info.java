/**
 * What a dataset consists of: {@code dataset.json} as a record, and the block table, read in place.
 * Second in the flow format ← index ← plan ← reader. The files are specified in {@link
 * io.stoker.format}.
 */
@NullMarked
package io.stoker.index;

import org.jspecify.annotations.NullMarked;
