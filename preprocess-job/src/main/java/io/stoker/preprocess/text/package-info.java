/**
 * The turns of a sample become token ids, labels and position ids, exactly as the reference
 * processor and the official fine-tuning code make them, except that text can never forge a control
 * token. Tokenizer and chat template come from the user's model directory; templates are code here,
 * chosen by hash or by name, never evaluated.
 *
 * <p>Place in the flow: manifest → sample → fetch → decode → vision → <b>text</b> → pack → shard →
 * commit; a package imports only packages left of it.
 *
 * <p>Inside: {@link io.stoker.preprocess.text.ModelDirectory} reads the files, {@code
 * PromptRenderer} writes the prompt as runs (control tokens, stretches of text, images), {@code
 * Tokenizers} turns a stretch into ids, {@code PromptEncoder} puts the runs together, {@code
 * Positions} and {@code FinetuneLabels} follow from the ids; {@link
 * io.stoker.preprocess.text.TextEncoder} is the whole.
 */
@NullMarked
package io.stoker.preprocess.text;

import org.jspecify.annotations.NullMarked;
