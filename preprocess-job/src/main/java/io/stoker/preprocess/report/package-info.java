/**
 * What a job did, for people and for programs: one set of facts, written as JSON, as a page and as
 * closing lines. Stands beside {@code commit}, which says when a report is written, and knows
 * nothing of how a dataset is published.
 */
@NullMarked
package io.stoker.preprocess.report;

import org.jspecify.annotations.NullMarked;
