/**
 * Keeps vocabulary, merges and settings of a tokenizer in one file that is used where it is mapped; start at
 * {@link io.knabla.functions.tokenizer.table.Table}.
 */
package io.knabla.functions.tokenizer.table;
