/**
 * File + overrides → one immutable {@link io.stoker.preprocess.config.PreprocessConfig} that holds
 * the settings record of every stage. Stages never see more than their own record. Only {@code
 * task} and {@code spark} build on this package.
 */
@NullMarked
package io.stoker.preprocess.config;

import org.jspecify.annotations.NullMarked;
