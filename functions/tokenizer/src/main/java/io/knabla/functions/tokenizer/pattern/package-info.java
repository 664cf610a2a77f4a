/**
 * Matches the regular expressions of tokenizers with bounded work; start at
 * {@link io.knabla.functions.tokenizer.pattern.SafeRegex}.
 */
package io.knabla.functions.tokenizer.pattern;
