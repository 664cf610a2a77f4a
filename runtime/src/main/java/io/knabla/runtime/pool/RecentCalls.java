package io.knabla.runtime.pool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the calls of each function within the last seconds: the controller starts pods for a function that is called
 * often.
 */
final class RecentCalls {
    static final long WINDOW_NANOS = 20_000_000_000L;

    /** More make no difference, and cost memory. */
    private static final int MOST = 100;

    private final Map<String, Deque<Long>> calls = new TreeMap<>();
    private final Map<String, Long> refused = new TreeMap<>();

    synchronized void called(String function, long now) {
        Deque<Long> times = calls.computeIfAbsent(function, _ -> new ArrayDeque<>());
        times.addLast(now);
        if (times.size() > MOST) {
            times.removeFirst();
        }
    }

    /** The pool could not answer: it has no memory left, or the function does not start here. */
    synchronized void refused(String function, long now) {
        refused.put(function, now);
    }

    /** A JSON object: {@code {"functions":{"NAME":{"recent":3,"refused":false}}}}. */
    synchronized String json(long now) {
        calls.values().forEach(times -> times.removeIf(time -> now - time > WINDOW_NANOS));
        calls.values().removeIf(Deque::isEmpty);
        refused.values().removeIf(time -> now - time > WINDOW_NANOS);
        StringBuilder json = new StringBuilder("{\"functions\":{");
        String separator = "";
        for (var each : calls.entrySet()) {
            // Names of functions hold nothing that JSON would escape.
            json.append(separator)
                    .append('"')
                    .append(each.getKey())
                    .append("\":{\"recent\":")
                    .append(each.getValue().size())
                    .append(",\"refused\":")
                    .append(refused.containsKey(each.getKey()))
                    .append('}');
            separator = ",";
        }
        return json.append("}}").toString();
    }
}
