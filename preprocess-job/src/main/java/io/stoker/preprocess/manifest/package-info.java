/**
 * First stage of the flow: finds manifests, cuts them into byte ranges and hands out their lines
 * with provenance. Lines are bytes here; nothing is parsed and nothing but whole manifests is
 * refused.
 */
@NullMarked
package io.stoker.preprocess.manifest;

import org.jspecify.annotations.NullMarked;
