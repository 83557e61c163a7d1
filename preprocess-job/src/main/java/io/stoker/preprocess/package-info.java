/**
 * The preprocess job's entry point. The stages are the packages below this one, in the order of the
 * flow: manifest → sample → fetch → decode → vision → text → pack → shard → commit → config →
 * spark.
 */
@NullMarked
package io.stoker.preprocess;

import org.jspecify.annotations.NullMarked;
