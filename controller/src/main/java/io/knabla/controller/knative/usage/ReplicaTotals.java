package io.knabla.controller.knative.usage;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a run of a replica's process did, as the process counts it.
 *
 * @param failed requests answered with an error of the server
 * @param elements tensor elements of the answered requests
 * @param busyMillis sum of the requests' durations
 * @param cpuMillis CPU time of the process
 * @param residentBytes memory of the process when it was read
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ReplicaTotals(long succeeded, long failed, long elements, long busyMillis, long cpuMillis, long residentBytes) {
    static final ReplicaTotals NONE = new ReplicaTotals(0, 0, 0, 0, 0, 0);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SERIES = Pattern.compile("(\\w+)(\\{.*})? (\\S+)");

    /** Bounded: a replica is not trusted. */
    private static final Pattern PHASE =
            Pattern.compile("knabla_start_phase_milliseconds\\{.*phase=\"(place|fetch|boot|load)\"} (\\d{1,9})");

    /** Bound of what an untrusted replica tells, so that no sum overflows; a double is exact up to it. */
    static final long MAX = 1L << 53;

    /** Errors of the caller, and requests that were refused: these metrics do not tell a full queue from a drain. */
    private static final Set<String> NOT_FAILED = Set.of("reason=\"OTHER\"", "reason=\"REJECTED\"");

    /** Takes a number outside of 0 and {@link #MAX} for the nearer of the two. */
    ReplicaTotals {
        succeeded = Math.clamp(succeeded, 0, MAX);
        failed = Math.clamp(failed, 0, MAX);
        elements = Math.clamp(elements, 0, MAX);
        busyMillis = Math.clamp(busyMillis, 0, MAX);
        cpuMillis = Math.clamp(cpuMillis, 0, MAX);
        residentBytes = Math.clamp(residentBytes, 0, MAX);
    }

    /**
     * Reads the last totals in a termination message, which holds the totals or the end of the replica's output; empty
     * if there are none.
     */
    static Optional<ReplicaTotals> ofMessage(String message) {
        return message.lines()
                .filter(line -> line.startsWith("{") && line.contains("\"busyMillis\""))
                .flatMap(line -> parse(line).stream())
                .reduce((_, last) -> last);
    }

    private static Optional<ReplicaTotals> parse(String line) {
        try {
            return Optional.of(JSON.readValue(line, ReplicaTotals.class));
        } catch (JsonProcessingException cut) {
            return Optional.empty();
        }
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
                count(sums, "process_resident_memory_bytes", 0)));
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

    /** Prometheus values are doubles; the digits of a decimal such as {@code 1e999999999} would fill the memory. */
    private static Optional<BigDecimal> number(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isNaN(value)
                    ? Optional.empty()
                    : Optional.of(BigDecimal.valueOf(Math.clamp(value, 0.0, (double) MAX)));
        } catch (NumberFormatException infinite) {
            return Optional.empty();
        }
    }

    /** @param power of ten by which the value is multiplied */
    private static long count(Map<String, BigDecimal> sums, String name, int power) {
        return sums.getOrDefault(name, BigDecimal.ZERO)
                .scaleByPowerOfTen(power)
                .min(BigDecimal.valueOf(MAX))
                .longValue();
    }

    /** Totals of two runs; the memory is the larger one. */
    ReplicaTotals plus(ReplicaTotals other) {
        return new ReplicaTotals(
                succeeded + other.succeeded,
                failed + other.failed,
                elements + other.elements,
                busyMillis + other.busyMillis,
                cpuMillis + other.cpuMillis,
                Math.max(residentBytes, other.residentBytes));
    }
}
