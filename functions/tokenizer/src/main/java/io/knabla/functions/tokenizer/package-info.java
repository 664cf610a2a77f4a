/**
 * Turns text into token ids and back, by a table that was compiled from a tokenizer.json; start at
 * {@link io.knabla.functions.tokenizer.Tokenizer}.
 */
package io.knabla.functions.tokenizer;
