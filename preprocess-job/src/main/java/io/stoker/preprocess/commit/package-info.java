/**
 * Staged shards → dataset, all or nothing. Tasks write objects under names that are never reused
 * and return records of them; the driver checks the accounts and publishes with one last atomic
 * write of {@code dataset.json}. Follows {@code shard}; only {@code config} and the Spark halves
 * stand behind it.
 */
@NullMarked
package io.stoker.preprocess.commit;

import org.jspecify.annotations.NullMarked;
