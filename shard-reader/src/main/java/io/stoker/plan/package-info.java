/** The plan. */
@NullMarked
package io.stoker.plan;

import org.jspecify.annotations.NullMarked;
