package io.knabla.controller.warm.policy;

import java.util.HashMap;
import java.util.Map;

/**
 * The order in which idle replicas are evicted when memory is short: the lowest of clock + frequency x seconds of a
 * start / size first, where the clock rises to the priority of the last victim. As FaasCache (Fuerst and Sharma, ASPLOS
 * 2021) has it. Not thread-safe.
 */
public final class GreedyDual {
    private final Map<String, Entry> functions = new HashMap<>();
    private double clock;

    private record Entry(double frequency, double priority) {}

    /** A request of a function begins. */
    public void used(String function, double startSeconds, double gb) {
        double frequency = functions.getOrDefault(function, new Entry(0, 0)).frequency() + 1;
        functions.put(function, new Entry(frequency, clock + frequency * startSeconds / gb));
    }

    public double priority(String function) {
        Entry entry = functions.get(function);
        return entry == null ? clock : entry.priority();
    }

    public void evicted(String function) {
        clock = Math.max(clock, priority(function));
    }

    /** The function has no replica left: its frequency is forgotten. */
    public void left(String function) {
        functions.remove(function);
    }
}
