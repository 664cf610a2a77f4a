package io.knabla.runtime.generation.grammar.automaton;

import java.util.List;

/** Automaton over bytes whose states may call others, with a stack of bounded depth. Immutable. */
public final class PushdownAutomaton {
    /** Most states that wait for a called one: what would nest deeper is not followed. */
    public static final int DEEPEST = 64;

    static final int NOWHERE = -1;

    final int start;
    final int[][] edges;
    final int[][] calls;
    final boolean[] accepts;

    /** Frames that must at least be put on the stack before a state has accepted; above the deepest if it never can. */
    final int[] depths;

    private final int[] twins;
    private final byte[] classes = new byte[256];
    private int classCount = 1;

    PushdownAutomaton(List<StateDraft> states, int start) {
        int size = states.size();
        this.start = start;
        edges = states.stream().map(one -> one.edges).toArray(int[][]::new);
        calls = states.stream().map(one -> withoutReturns(one.calls, states)).toArray(int[][]::new);
        twins = new int[size];
        accepts = new boolean[size];
        for (int i = 0; i < size; i++) {
            accepts[i] = states.get(i).accepts;
            twins[i] = states.get(i).twin < 0 ? i : states.get(i).twin;
        }
        depths = new StackDepths(this).compute();
        classify();
    }

    /** A state that only returns need not be returned to. */
    private static int[] withoutReturns(int[] calls, List<StateDraft> states) {
        int[] direct = calls.clone();
        for (int i = 1; i < direct.length; i += 2) {
            if (direct[i] >= 0 && states.get(direct[i]).onlyAccepts()) {
                direct[i] = NOWHERE;
            }
        }
        return direct;
    }

    /** Whether a text can be complete. */
    public boolean hasText() {
        return depths[start] <= DEEPEST;
    }

    /** State of which the next token may be the same ones. */
    int twin(int state) {
        return twins[state];
    }

    /** Bytes of one class lead everywhere to the same states. */
    int classOf(int one) {
        return classes[one] & 0xff;
    }

    int classes() {
        return classCount;
    }

    private void classify() {
        boolean[] begins = new boolean[257];
        for (int[] ofState : edges) {
            for (int i = 0; i < ofState.length; i += 3) {
                begins[ofState[i]] = true;
                begins[ofState[i + 1] + 1] = true;
            }
        }
        for (int one = 1; one < 256; one++) {
            classCount += begins[one] ? 1 : 0;
            classes[one] = (byte) (classCount - 1);
        }
    }
}
