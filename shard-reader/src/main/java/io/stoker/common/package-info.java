/**
 * What the reader and the preprocessing job both need from the JDK and should do alike: durations
 * as users write them, directories that are closed to others, threads. Imports no other package.
 */
@NullMarked
package io.stoker.common;

import org.jspecify.annotations.NullMarked;
