/**
 * Where datasets lie: a {@link io.stoker.store.DatasetStore} reads a local path in place, or ranges
 * of objects on S3. Knows nothing of blocks; stands beside index and plan in the flow store ← cache
 * ← reader.
 *
 * <p>The S3 client (classes named S3…) is optional: {@link io.stoker.store.DatasetStores} alone
 * refers to these classes, and only when a dataset lies on S3.
 */
@NullMarked
package io.stoker.store;

import org.jspecify.annotations.NullMarked;
