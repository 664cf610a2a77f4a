/**
 * Restricts texts to those of a grammar by excluding tokens before one is chosen; start at
 * {@link io.knabla.runtime.generation.grammar.TokenGrammar}.
 */
package io.knabla.runtime.generation.grammar;
