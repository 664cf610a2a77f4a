package io.knabla.runtime.generation.grammar.automaton;

/**
 * One way to read a text so far.
 *
 * @param stack null if it is empty
 */
record Position(int state, Frame stack) {}
