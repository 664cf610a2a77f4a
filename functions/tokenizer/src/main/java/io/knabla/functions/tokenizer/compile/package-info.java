/** Compiles a tokenizer.json to a table; start at {@link io.knabla.functions.tokenizer.compile.TokenizerCompiler}. */
package io.knabla.functions.tokenizer.compile;
