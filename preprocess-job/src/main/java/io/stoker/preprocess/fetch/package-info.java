/**
 * The only input seam of a task: resolves media references against what a manifest may name, and
 * gets the objects with a bounded number of concurrent requests. Follows {@code sample} and
 * precedes {@code decode}. What the record is to blame for becomes a {@link
 * io.stoker.preprocess.reject.SampleRejectedException}; what the store is to blame for stays an
 * {@link java.io.IOException}.
 */
@NullMarked
package io.stoker.preprocess.fetch;

import org.jspecify.annotations.NullMarked;
