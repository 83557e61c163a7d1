/**
 * The entry points of the preprocess job. The packages below this one, from the ground up, are:
 * {@code reject}, {@code store} and {@code measure}, which the others build on; the stages in the
 * order of the flow, {@code manifest}, {@code sample}, {@code fetch}, {@code decode}, {@code
 * vision}, {@code text}, {@code pack} and {@code shard}; {@code report} and {@code commit}, which
 * publish; {@code config}; {@code task}, one task's pipeline; and {@code spark}. Each may import
 * what stands before it.
 */
@NullMarked
package io.stoker.preprocess;

import org.jspecify.annotations.NullMarked;
