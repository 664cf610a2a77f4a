package io.knabla.runtime.generation.grammar.automaton;

/** What is asked for needs a larger automaton, or more work to build it, than is allowed. */
public final class TooLargeException extends RuntimeException {
    /** @param limit what would be exceeded, as a sentence without an end */
    public TooLargeException(String limit) {
        super(limit, null, false, false);
    }
}
