/**
 * Normalizes texts and splits them into the pieces that a model sees; start at
 * {@link io.knabla.functions.tokenizer.text.TextSplitter}.
 */
package io.knabla.functions.tokenizer.text;
