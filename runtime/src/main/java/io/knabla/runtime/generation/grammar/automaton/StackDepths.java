package io.knabla.runtime.generation.grammar.automaton;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Computes for each state how many frames must at least be put on the stack before it has accepted. */
final class StackDepths {
    private static final int NEVER = PushdownAutomaton.DEEPEST + 1;
    private static final int[] NONE = {};

    private final PushdownAutomaton automaton;
    private final int[] least;
    private final int[][] before;
    private final int[] beforeCounts;
    private final Deque<Integer> open = new ArrayDeque<>();

    StackDepths(PushdownAutomaton automaton) {
        this.automaton = automaton;
        int size = automaton.edges.length;
        least = new int[size];
        before = new int[size][];
        beforeCounts = new int[size];
        Arrays.fill(least, NEVER);
        Arrays.fill(before, NONE);
    }

    /** {@code PushdownAutomaton.DEEPEST + 1} for a state that cannot accept within the deepest stack. */
    int[] compute() {
        for (int state = 0; state < least.length; state++) {
            for (int i = 0; i < automaton.edges[state].length; i += 3) {
                precedes(state, automaton.edges[state][i + 2]);
            }
            for (int to : automaton.calls[state]) {
                if (to != PushdownAutomaton.NOWHERE) {
                    precedes(state, to);
                }
            }
        }
        for (int state = 0; state < least.length; state++) {
            lower(state);
        }
        while (!open.isEmpty()) {
            int state = open.remove();
            for (int i = 0; i < beforeCounts[state]; i++) {
                lower(before[state][i]);
            }
        }
        return least;
    }

    private void precedes(int state, int next) {
        int count = beforeCounts[next]++;
        if (count == before[next].length) {
            before[next] = Arrays.copyOf(before[next], 2 * count + 2);
        }
        before[next][count] = state;
    }

    private void lower(int state) {
        int depth = depth(state);
        if (depth < least[state]) {
            least[state] = depth;
            open.add(state);
        }
    }

    private int depth(int state) {
        int depth = automaton.accepts[state] ? 0 : NEVER;
        for (int i = 0; i < automaton.edges[state].length; i += 3) {
            depth = Math.min(depth, least[automaton.edges[state][i + 2]]);
        }
        for (int i = 0; i < automaton.calls[state].length; i += 2) {
            int callee = least[automaton.calls[state][i]];
            int then = automaton.calls[state][i + 1];
            depth = Math.min(depth, then == PushdownAutomaton.NOWHERE ? callee : Math.max(callee + 1, least[then]));
        }
        return depth;
    }
}
