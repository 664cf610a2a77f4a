/**
 * Regular expressions over characters as deterministic automata; start at
 * {@link io.knabla.runtime.generation.grammar.pattern.PatternParser}.
 */
package io.knabla.runtime.generation.grammar.pattern;
