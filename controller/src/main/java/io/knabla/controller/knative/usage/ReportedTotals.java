package io.knabla.controller.knative.usage;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.functions.unit.usage.ReplicaTotalsJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the totals and the utilization of a replica in a pod from its termination message and from its metrics. */
final class ReportedTotals {
    private static final Pattern SERIES = Pattern.compile("(\\w+)(\\{.*})? (\\S+)");

    private static final Pattern COUNTER = Pattern.compile(Counters.METRIC + "\\{.*counter=\"([a-z_]{1,40})\"} (\\S+)");

    /** Bounded: a replica is not trusted. */
    private static final Pattern PHASE =
            Pattern.compile("knabla_start_phase_milliseconds\\{.*phase=\"(place|fetch|boot|load)\"} (\\d{1,9})");

    /** Errors of the caller, and requests that were refused: these metrics do not tell a full queue from a drain. */
    private static final Set<String> NOT_FAILED = Set.of("reason=\"OTHER\"", "reason=\"REJECTED\"");

    private static final Pattern UTILIZATION = Pattern.compile("knabla_generation_utilization_ratio\\{.*} (\\S+)");

    private ReportedTotals() {}

    /**
     * Reads the last totals in a termination message, which holds the totals or the end of the replica's output; empty
     * if there are none.
     */
    static Optional<ReplicaTotals> ofMessage(String message) {
        return message.lines()
                .filter(line -> line.startsWith("{") && line.contains("\"busyMillis\""))
                .flatMap(line -> ReplicaTotalsJson.read(line).stream())
                .reduce((_, last) -> last);
    }

    /** Reads them from a replica's metrics, which are Prometheus text; empty if they are of something else. */
    static Optional<ReplicaTotals> ofMetrics(String text) {
        Map<String, BigDecimal> sums = new HashMap<>();
        text.lines()
                .map(SERIES::matcher)
                .filter(Matcher::matches)
                .filter(series -> series.group(2) == null || NOT_FAILED.stream().noneMatch(series.group(2)::contains))
                .forEach(series -> number(series.group(3))
                        .ifPresent(value -> sums.merge(series.group(1), value, BigDecimal::add)));
        if (!sums.containsKey("nv_inference_request_success")) {
            return Optional.empty();
        }
        return Optional.of(new ReplicaTotals(
                count(sums, "nv_inference_request_success", 0),
                count(sums, "nv_inference_request_failure", 0),
                count(sums, "knabla_tensor_elements_total", 0),
                count(sums, "knabla_busy_microseconds_total", -3),
                count(sums, "process_cpu_seconds_total", 3),
                count(sums, "process_resident_memory_bytes", 0),
                counters(text)));
    }

    private static Counters counters(String metrics) {
        Map<String, Long> counts = new HashMap<>();
        metrics.lines()
                .map(COUNTER::matcher)
                .filter(Matcher::matches)
                .filter(series -> Counters.isName(series.group(1)))
                .forEach(series -> number(series.group(2))
                        .ifPresent(value -> counts.merge(series.group(1), value.longValue(), ReportedTotals::sum)));
        return Counters.of(counts);
    }

    /** Of two numbers of which each is at most {@link Counters#MOST}. */
    private static long sum(long one, long other) {
        return Math.min(one + other, Counters.MOST);
    }

    /** Reads the phases of a replica's start in its metrics, precise to a millisecond; empty if there are none. */
    static Map<String, Duration> startPhases(String metrics) {
        Map<String, Duration> phases = new HashMap<>();
        metrics.lines()
                .map(PHASE::matcher)
                .filter(Matcher::matches)
                .forEach(phase -> phases.put(phase.group(1), Duration.ofMillis(Long.parseLong(phase.group(2)))));
        return phases;
    }

    /** Reads the share of a replica's capacity that is used; empty if its model reports none. */
    static OptionalDouble utilization(String metrics) {
        return metrics.lines()
                .map(UTILIZATION::matcher)
                .filter(Matcher::matches)
                .flatMap(series -> number(series.group(1)).stream())
                .mapToDouble(BigDecimal::doubleValue)
                .max();
    }

    /** Prometheus values are doubles; the digits of a decimal such as {@code 1e999999999} would fill the memory. */
    private static Optional<BigDecimal> number(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isNaN(value)
                    ? Optional.empty()
                    : Optional.of(BigDecimal.valueOf(Math.clamp(value, 0.0, (double) Counters.MOST)));
        } catch (NumberFormatException infinite) {
            return Optional.empty();
        }
    }

    /** @param power of ten by which the value is multiplied */
    private static long count(Map<String, BigDecimal> sums, String name, int power) {
        return sums.getOrDefault(name, BigDecimal.ZERO)
                .scaleByPowerOfTen(power)
                .min(BigDecimal.valueOf(Counters.MOST))
                .longValue();
    }
}
