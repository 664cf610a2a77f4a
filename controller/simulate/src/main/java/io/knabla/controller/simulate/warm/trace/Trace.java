package io.knabla.controller.simulate.warm.trace;

import java.util.List;

/**
 * Requests of functions over time.
 *
 * @param endMillis the end of the observed time; replicas that are still kept then count until then
 */
public record Trace(String name, List<FunctionTrace> functions, long endMillis) {
    public Trace {
        functions = List.copyOf(functions);
    }

    /** Ends with the last request. */
    public static Trace of(String name, List<FunctionTrace> functions) {
        return new Trace(
                name,
                functions,
                functions.stream().mapToLong(FunctionTrace::endMillis).max().orElse(0));
    }

    public long requests() {
        long sum = 0;
        for (FunctionTrace function : functions) {
            for (int count : function.requests()) {
                sum += count;
            }
        }
        return sum;
    }
}
