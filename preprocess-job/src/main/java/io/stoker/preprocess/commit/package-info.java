/**
 * The protocol alone: staged shards become a dataset, all or nothing. Tasks write objects under
 * names that are never reused and leave records of them. On the driver {@link
 * io.stoker.preprocess.commit.Publication} checks the accounts and publishes with one last
 * conditional write of {@code dataset.json}. What lost and killed jobs leave behind is found and
 * removed here. Nothing here knows Spark.
 */
@NullMarked
package io.stoker.preprocess.commit;

import org.jspecify.annotations.NullMarked;
