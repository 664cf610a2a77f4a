package io.knabla.runtime.generation.grammar.automaton;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Builds an automaton, state by state. A state reads a byte, calls another state and goes on elsewhere once that one
 * has accepted, or goes on as another state at once; where there are several ways, all are taken.
 */
public final class AutomatonBuilder {
    /** Some megabytes. */
    private static final int MOST_STATES = 50_000;

    private static final int MOST_WAYS = 250_000;

    private final BitSet alphabet;
    private final int longestToken;
    private final List<StateDraft> states = new ArrayList<>();
    private int ways;

    /**
     * @param alphabet bytes that can be written
     * @param longestToken most bytes that are read at once
     */
    public AutomatonBuilder(BitSet alphabet, int longestToken) {
        this.alphabet = alphabet;
        this.longestToken = longestToken;
    }

    /** A state that follows from more than so many repetitions is read as one of any larger number. */
    public int longestToken() {
        return longestToken;
    }

    /** @throws TooLargeException if there are too many */
    public int state() {
        if (states.size() == MOST_STATES) {
            throw new TooLargeException("its automaton has more than %d states".formatted(MOST_STATES));
        }
        states.add(new StateDraft());
        return states.size() - 1;
    }

    private StateDraft draft(int state) {
        if (++ways > MOST_WAYS) {
            throw new TooLargeException("its automaton has more than %d transitions".formatted(MOST_WAYS));
        }
        return states.get(state);
    }

    /** Reads any of these bytes; those that cannot be written are left out. */
    public void bytes(int from, int low, int high, int to) {
        for (int at = alphabet.nextSetBit(low); at >= 0 && at <= high; at = alphabet.nextSetBit(at)) {
            int end = Math.min(alphabet.nextClearBit(at), high + 1);
            draft(from).edge(at, end - 1, to);
            at = end;
        }
    }

    /** Reads these bytes, one after the other; the state after them. */
    public int text(int from, byte[] text) {
        int at = from;
        for (byte one : text) {
            int next = state();
            bytes(at, one & 0xff, one & 0xff, next);
            at = next;
        }
        return at;
    }

    /** Reads as {@code callee} until that accepts, then goes on. */
    public void call(int from, int callee, int then) {
        draft(from).call(callee, then);
    }

    /** Goes on as another state. */
    public void jump(int from, int to) {
        draft(from).call(to, PushdownAutomaton.NOWHERE);
    }

    public void accept(int state) {
        states.get(state).accepts = true;
    }

    /** Tells that a state differs from another one only in what follows after more bytes than any token has. */
    public void resembles(int state, int other) {
        states.get(state).twin = other;
    }

    /** @throws TooLargeException if there are too many alternatives at one place */
    public PushdownAutomaton build(int start) {
        new JumpCheck(states).run();
        return new PushdownAutomaton(states, start);
    }
}
