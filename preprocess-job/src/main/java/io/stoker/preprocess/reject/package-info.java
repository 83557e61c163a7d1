/**
 * The vocabulary of refusal: the reasons why a row cannot be used, the exception that carries one
 * up to the place where the row is set aside, and what makes text of strangers safe for a message.
 * Every stage may refuse a row, so this package stands on the ground floor and knows no other.
 */
@NullMarked
package io.stoker.preprocess.reject;

import org.jspecify.annotations.NullMarked;
