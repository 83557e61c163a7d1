/**
 * The optimisation ladder of multimodal data loading as a live experiment: each rung is a small
 * class that adds one idea to the one before, all feed the same samples to the same simulated
 * training step.
 */
@NullMarked
package io.stoker.preprocess.bench.ladder;

import org.jspecify.annotations.NullMarked;
