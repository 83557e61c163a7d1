/**
 * The places where datasets lie. A {@link io.stoker.store.DatasetStore} reads a local path in
 * place, or ranges of objects on S3. This package knows nothing of blocks; cache and reader build
 * on it.
 *
 * <p>{@link io.stoker.store.Retries} and {@link io.stoker.store.S3Gets} are the one way in which
 * Stoker reads from S3: the preprocessing job fetches its images with them.
 *
 * <p>The S3 client (classes named S3…) is optional: only {@link io.stoker.store.DatasetStores}
 * refers to these classes, and only when a dataset lies on S3.
 */
@NullMarked
package io.stoker.store;

import org.jspecify.annotations.NullMarked;
