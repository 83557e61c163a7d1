package io.stoker.preprocess.text;

/**
 * An entry of {@code added_tokens} in {@code tokenizer.json}.
 *
 * @param content the string it is spelled as
 * @param id its token id
 * @param special whether it is a control token, which the model must never meet in plain text
 */
record AddedToken(String content, long id, boolean special) {}
