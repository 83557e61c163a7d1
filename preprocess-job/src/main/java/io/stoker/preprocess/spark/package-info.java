/**
 * The two halves of the job that know Spark: {@link io.stoker.preprocess.spark.PreprocessJob} on
 * the driver, and the functions that run in executors. Only manifest rows are shuffled; the work on
 * a partition is that of {@code task}, and it returns a small record.
 */
@NullMarked
package io.stoker.preprocess.spark;

import org.jspecify.annotations.NullMarked;
