/**
 * One task's pipeline: manifest rows come in, go through fetch, decode, vision, text, pack and
 * shard, and leave as a small record of what was written. {@link
 * io.stoker.preprocess.task.PartitionRun} tells the story of a task. Knows nothing of Spark: {@code
 * spark} hands the rows over and takes the record back.
 */
@NullMarked
package io.stoker.preprocess.task;

import org.jspecify.annotations.NullMarked;
