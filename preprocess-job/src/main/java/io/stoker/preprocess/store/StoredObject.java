package io.stoker.preprocess.store;

import java.time.Instant;

/**
 * An object in the dataset's directory.
 *
 * @param name path relative to the dataset
 * @param bytes length
 * @param modified when it was written, by the store's clock
 */
public record StoredObject(String name, long bytes, Instant modified) {}
