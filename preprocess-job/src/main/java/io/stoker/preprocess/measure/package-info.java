/**
 * What a task counts and where its time goes: row and byte counts, time by stage, and the time
 * limit of a sample. Stages write into it and {@code report} prints it.
 */
@NullMarked
package io.stoker.preprocess.measure;

import org.jspecify.annotations.NullMarked;
