package io.knabla.controller.simulate.warm.trace;

import java.util.OptionalDouble;

/**
 * The requests of one function, ascending by time.
 *
 * @param startMillis when each arrives, from the trace's begin
 * @param durationMillis how long each is executed, without any start
 * @param requests how many requests each entry stands for: several in a trace of counts, of which only the first can
 *     wait for a start
 * @param memoryGb of a replica, if the trace states it
 */
public record FunctionTrace(
        String name, OptionalDouble memoryGb, long[] startMillis, int[] durationMillis, int[] requests) {
    public FunctionTrace {
        if (startMillis.length != durationMillis.length || startMillis.length != requests.length) {
            throw new IllegalArgumentException("starts, durations and requests must be equally many");
        }
        for (int i = 1; i < startMillis.length; i++) {
            if (startMillis[i] < startMillis[i - 1]) {
                throw new IllegalArgumentException("requests of %s are not ascending".formatted(name));
            }
        }
    }

    public int size() {
        return startMillis.length;
    }

    long endMillis() {
        long end = 0;
        for (int i = 0; i < size(); i++) {
            end = Math.max(end, startMillis[i] + durationMillis[i]);
        }
        return end;
    }
}
