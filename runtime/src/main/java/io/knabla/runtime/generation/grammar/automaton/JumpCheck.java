package io.knabla.runtime.generation.grammar.automaton;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Bounds how many states one state may go on as without a byte, so that reading a byte is bounded too. */
final class JumpCheck {
    private static final int MOST = 1024;

    private final List<StateDraft> states;
    private final int[] visitor;
    private final Deque<Integer> open = new ArrayDeque<>();

    JumpCheck(List<StateDraft> states) {
        this.states = states;
        this.visitor = new int[states.size()];
        Arrays.fill(visitor, -1);
    }

    /** @throws TooLargeException if there are more */
    void run() {
        for (int state = 0; state < visitor.length; state++) {
            if (states.get(state).calls.length > 0) {
                walk(state);
            }
        }
    }

    private void walk(int from) {
        open.clear();
        open.add(from);
        int count = 0;
        while (!open.isEmpty()) {
            int[] calls = states.get(open.remove()).calls;
            for (int i = 0; i < calls.length; i += 2) {
                if (visitor[calls[i]] != from) {
                    visitor[calls[i]] = from;
                    open.add(calls[i]);
                    count++;
                }
            }
            if (count > MOST) {
                throw new TooLargeException("at one place it allows more than %d alternatives".formatted(MOST));
            }
        }
    }
}
