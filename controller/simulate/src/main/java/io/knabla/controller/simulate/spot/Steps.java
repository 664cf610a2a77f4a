package io.knabla.controller.simulate.spot;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A number that changes with time, in steps.
 *
 * @param values by milliseconds since the trace's start, the first at 0; each holds until the next
 */
public record Steps(NavigableMap<Long, Double> values) {
    public Steps {
        if (!values.containsKey(0L)) {
            throw new IllegalArgumentException("the first value must be at 0, but the values are " + values);
        }
        values = new TreeMap<>(values);
    }

    public static Steps of(double value) {
        return new Steps(new TreeMap<>(Map.of(0L, value)));
    }

    double at(long millis) {
        return values.floorEntry(millis).getValue();
    }

    /** Time of the next change; {@code Long.MAX_VALUE} if there is none. */
    long nextAfter(long millis) {
        Long next = values.higherKey(millis);
        return next == null ? Long.MAX_VALUE : next;
    }

    public boolean isConstant() {
        return values.size() == 1;
    }
}
