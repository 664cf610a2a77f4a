package io.knabla.functions.unit.usage;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * Named counts of a replica's work, such as tokens, beside the numbers that every replica counts. What a replica counts
 * under a new name is recorded, summed and reported without further code. A count of 0 is left out, so equal counts are
 * equal objects.
 *
 * @param byName ordered by name; a name is a letter and up to 39 more or underscores, all lower case
 */
public record Counters(Map<String, Long> byName) {
    /**
     * Names of one replica. With all of them its totals fit into the 2 KiB that Kubernetes keeps of its last output.
     */
    public static final int MOST_NAMES = 16;

    /** Largest count of one replica, so that no sum of two overflows; a double is exact up to it. */
    public static final long MOST = 1L << 53;

    /** A replica's metric of Prometheus, with a counter's name as the label {@code counter}. */
    public static final String METRIC = "knabla_work_total";

    public static final Counters NONE = new Counters(Map.of());

    private static final int MOST_CHARACTERS = 40;

    /** @throws IllegalArgumentException if a name is none, or a count is negative or missing */
    public Counters {
        byName.forEach(Counters::check);
        Map<String, Long> ordered = new TreeMap<>(byName);
        ordered.values().removeIf(count -> count == 0);
        byName = Collections.unmodifiableMap(ordered);
    }

    /** @param byName may be null: none */
    public static Counters of(Map<String, Long> byName) {
        return byName == null || byName.isEmpty() ? NONE : new Counters(byName);
    }

    /**
     * Returns what an untrusted replica counts: without what is no name and without all but the first
     * {@link #MOST_NAMES}; a count outside of 0 and {@link #MOST} is the nearer of the two.
     */
    static Counters bounded(Map<String, Long> told) {
        TreeMap<String, Long> kept = new TreeMap<>();
        told.forEach((name, count) -> {
            if (isName(name) && count > 0) {
                kept.put(name, Math.min(count, MOST));
            }
        });
        while (kept.size() > MOST_NAMES) {
            kept.pollLastEntry();
        }
        return of(kept);
    }

    public static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= MOST_CHARACTERS
                && text.charAt(0) != '_'
                && text.chars().allMatch(character -> character == '_' || (character >= 'a' && character <= 'z'));
    }

    private static void check(String name, Long count) {
        if (!isName(name) || count == null || count < 0) {
            throw new IllegalArgumentException(
                    ("a counter has a name of 1 to %d of the characters a to z and _, the first a letter, and counts 0 or"
                                    + " more, but there is '%s' with %s")
                            .formatted(MOST_CHARACTERS, name, count));
        }
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns the count of a name; 0 if it has none. */
    public long count(String name) {
        return byName.getOrDefault(name, 0L);
    }

    /** A sum beyond {@link Long#MAX_VALUE} is that. */
    public Counters plus(Counters other) {
        return other.isEmpty() ? this : isEmpty() ? other : with(other, Counters::sum);
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** What was counted since; a count that is larger in the earlier ones gives 0. */
    public Counters minus(Counters earlier) {
        return earlier.isEmpty() ? this : with(earlier, (later, before) -> Math.max(0, later - before));
    }

    /** The larger counts; of more than {@link #MOST_NAMES} names these here stay, with the first of the others. */
    public Counters max(Counters other) {
        Map<String, Long> fitting = new TreeMap<>(byName);
        other.byName.forEach((name, count) -> {
            if (fitting.size() < MOST_NAMES || fitting.containsKey(name)) {
                fitting.merge(name, count, Math::max);
            }
        });
        return of(fitting);
    }

    private Counters with(Counters other, LongBinaryOperator operator) {
        Map<String, Long> result = new TreeMap<>(byName);
        other.byName.forEach((name, count) -> result.put(name, operator.applyAsLong(count(name), count)));
        return of(result);
    }

    /** @param change of a count; the result is 0 or more */
    public Counters each(LongUnaryOperator change) {
        if (isEmpty()) {
            return this;
        }
        Map<String, Long> changed = new TreeMap<>(byName);
        changed.replaceAll((name, count) -> change.applyAsLong(count));
        return of(changed);
    }

    /** An object of JSON with a number by name. */
    public String json() {
        return byName.entrySet().stream()
                .map(counter -> "\"" + counter.getKey() + "\":" + counter.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }
}
