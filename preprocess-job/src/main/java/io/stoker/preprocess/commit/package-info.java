/** Stage commit. */
@NullMarked
package io.stoker.preprocess.commit;

import org.jspecify.annotations.NullMarked;
