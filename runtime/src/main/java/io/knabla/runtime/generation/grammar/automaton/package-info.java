/**
 * Automata over bytes whose states may call others, and all readings of a text by one; start at
 * {@link io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder}.
 */
package io.knabla.runtime.generation.grammar.automaton;
