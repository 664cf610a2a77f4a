package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.automaton.AutomatonBuilder;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes the states that count repetitions of an array's elements or a string's characters. Two of them with more
 * repetitions before and behind them than a token has bytes allow the same tokens, so that masks need not be computed
 * for each.
 */
final class RepetitionStates {
    private record Ahead(int least, int most) {}

    private final AutomatonBuilder automaton;
    private final int least;
    private final int most;
    private final Map<Ahead, Integer> first = new HashMap<>();

    /** @param most -1 for any number */
    RepetitionStates(AutomatonBuilder automaton, int least, int most) {
        this.automaton = automaton;
        this.least = least;
        this.most = most;
    }

    /** A state after so many repetitions. */
    int state(int count) {
        int state = automaton.state();
        int reach = automaton.longestToken() + 1;
        var ahead =
                new Ahead(Math.clamp(least - (long) count, 0, reach), most < 0 ? -1 : Math.min(most - count, reach));
        Integer twin = first.putIfAbsent(ahead, state);
        if (twin != null) {
            automaton.resembles(state, twin);
        }
        return state;
    }
}
