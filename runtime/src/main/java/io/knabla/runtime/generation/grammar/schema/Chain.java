package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.network.NetworkBuilder;
import java.util.HashMap;
import java.util.Map;

/**
 * States that count repetitions. Two of them with more repetitions before and behind them than a token has bytes allow
 * the same tokens, so that masks need not be computed for each.
 */
final class Chain {
    private record Ahead(int least, int most) {}

    private final NetworkBuilder network;
    private final int least;
    private final int most;
    private final Map<Ahead, Integer> first = new HashMap<>();

    /** @param most -1 for any number */
    Chain(NetworkBuilder network, int least, int most) {
        this.network = network;
        this.least = least;
        this.most = most;
    }

    /** A state after so many repetitions. */
    int state(int count) {
        int state = network.state();
        int reach = network.longestToken() + 1;
        var ahead =
                new Ahead(Math.clamp(least - (long) count, 0, reach), most < 0 ? -1 : Math.min(most - count, reach));
        Integer twin = first.putIfAbsent(ahead, state);
        if (twin != null) {
            network.resembles(state, twin);
        }
        return state;
    }
}
