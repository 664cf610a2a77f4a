/**
 * Describes a tokenizer as checked records of closed kinds; start at
 * {@link io.knabla.functions.tokenizer.spec.TokenizerSpec}.
 */
package io.knabla.functions.tokenizer.spec;
