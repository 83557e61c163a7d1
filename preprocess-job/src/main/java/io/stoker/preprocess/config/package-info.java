/** Stage config. */
@NullMarked
package io.stoker.preprocess.config;

import org.jspecify.annotations.NullMarked;
