/**
 * The two halves of the job that know Spark: {@link io.stoker.preprocess.spark.PreprocessJob} on
 * the driver, and the functions that run in executors. Only manifest rows are shuffled; a task
 * fetches, decodes, packs and writes its rows alone and returns a small record. This package wires
 * the stages together and owns what lives as long as an executor.
 */
@NullMarked
package io.stoker.preprocess.spark;

import org.jspecify.annotations.NullMarked;
