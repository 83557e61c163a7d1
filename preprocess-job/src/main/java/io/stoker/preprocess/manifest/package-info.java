/**
 * First stage of the flow: finds manifests, cuts them into byte ranges and hands out their lines
 * with provenance. Lines are bytes here: nothing is parsed, and only a whole manifest can be
 * refused.
 */
@NullMarked
package io.stoker.preprocess.manifest;

import org.jspecify.annotations.NullMarked;
