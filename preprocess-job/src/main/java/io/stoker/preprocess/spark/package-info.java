/**
 * What knows Spark: {@link io.stoker.preprocess.spark.PreprocessJob} on the driver, the functions
 * that run in executors, and the shuffle between them. Only manifest rows are shuffled. The work on
 * a partition is done by {@code task}, and what it returns is published by {@code commit}.
 */
@NullMarked
package io.stoker.preprocess.spark;

import org.jspecify.annotations.NullMarked;
