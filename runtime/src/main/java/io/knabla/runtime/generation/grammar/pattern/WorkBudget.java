package io.knabla.runtime.generation.grammar.pattern;

import io.knabla.runtime.generation.grammar.automaton.TooLargeException;

/** Bounds the work on all patterns of one schema, in visits of states; some tenths of a second. */
public final class WorkBudget {
    private static final long MOST = 5_000_000;

    private long spent;

    /** @throws TooLargeException if nothing is left */
    void spend(int work) {
        spent += work;
        if (spent > MOST) {
            throw new TooLargeException("its patterns take too long to compile");
        }
    }
}
