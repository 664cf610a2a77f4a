/** Turns tokens back into text, one at a time; start at {@link io.knabla.functions.tokenizer.decode.DecoderChain}. */
package io.knabla.functions.tokenizer.decode;
