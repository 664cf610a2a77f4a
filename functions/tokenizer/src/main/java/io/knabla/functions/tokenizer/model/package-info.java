/** Turns pieces of text into token ids; start at {@link io.knabla.functions.tokenizer.model.PieceEncoder}. */
package io.knabla.functions.tokenizer.model;
