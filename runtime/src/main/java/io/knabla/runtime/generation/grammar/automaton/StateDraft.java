package io.knabla.runtime.generation.grammar.automaton;

import java.util.Arrays;

/** A state as it is built. */
final class StateDraft {
    private static final int[] NONE = {};

    /** Lowest byte, highest byte and next state of each edge. */
    int[] edges = NONE;

    /** Callee and next state of each call. */
    int[] calls = NONE;

    boolean accepts;

    /** State of equal masks; -1 for none. */
    int twin = -1;

    void edge(int low, int high, int to) {
        edges = appended(edges, low, high, to);
    }

    void call(int callee, int then) {
        calls = appended(calls, callee, then);
    }

    boolean onlyAccepts() {
        return accepts && edges.length == 0 && calls.length == 0;
    }

    private static int[] appended(int[] before, int... more) {
        int[] all = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, all, before.length, more.length);
        return all;
    }
}
