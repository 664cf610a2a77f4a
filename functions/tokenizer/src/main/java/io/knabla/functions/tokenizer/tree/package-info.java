/**
 * Holds and checks documents of nested values, as they are in a tokenizer.json and in a table; start at
 * {@link io.knabla.functions.tokenizer.tree.Fields}.
 */
package io.knabla.functions.tokenizer.tree;
