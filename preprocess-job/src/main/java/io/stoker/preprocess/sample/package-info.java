/**
 * One manifest line becomes one {@link io.stoker.preprocess.sample.Sample} or one {@link
 * io.stoker.preprocess.sample.Rejection}: strict JSON, the manifest dialects found in the field,
 * and a defined answer to every mistake in them. Later stages need not know which dialect a record
 * was written in.
 *
 * <p>Place in the flow: manifest → <b>sample</b> → fetch → decode → vision → text → pack → shard →
 * commit; a package imports only packages left of it.
 *
 * <h2>Dialects, detected per record</h2>
 *
 * <table>
 * <caption>How a record is read</caption>
 * <tr><th>members</th><th>dialect</th><th>user text</th></tr>
 * <tr><td>{@code conversations} (from/value), {@code image}/{@code images}</td>
 *   <td>official Qwen, LLaVA</td><td>split at {@code <image>}, pieces stripped, empty ones dropped</td></tr>
 * <tr><td>{@code messages} (role/content) with strings only, {@code images}</td>
 *   <td>ShareGPT, LLaMA-Factory</td><td>as above</td></tr>
 * <tr><td>{@code messages} in which a content is a list</td>
 *   <td>OpenAI typed parts</td><td>verbatim, tags are plain text</td></tr>
 * <tr><td>{@code question}, {@code answer}, {@code image}</td>
 *   <td>VQA row</td><td>as the first; images first when the question has no tag</td></tr>
 * </table>
 *
 * <p>A line of a dataset's {@code rejects/*.jsonl} is read as the row inside, with its original
 * provenance.
 *
 * <p>Assistant and system text is verbatim in every dialect; a tag in it is plain text.
 */
@NullMarked
package io.stoker.preprocess.sample;

import org.jspecify.annotations.NullMarked;
