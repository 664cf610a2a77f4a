package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a platform has recorded of its spot nodes, replicas and requests, from the minute of the first request to that
 * of the last one. Other policies are compared on it: their target in each minute is the number of replicas that ran
 * for the whole minute, so that a replica and its replacement do not count twice. A zone has spot capacity except from
 * the interruption of its last spot node until the next one starts there.
 *
 * @param minutes of requests, by the start of the minute
 */
public record History(List<SpotNode> nodes, List<ReplicaRun> replicas, NavigableMap<Instant, Minute> minutes) {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final double MINUTE_SECONDS = 60;

    /** @param interrupted whether the provider took it back at its end */
    public record SpotNode(String zone, Interval time, boolean interrupted) {}

    /** Time of one replica; its offering is that of its node. */
    public record ReplicaRun(Offering offering, Interval time) {}

    /** Sums over the requests of one minute. */
    public record Minute(long requests, long failed, long busyMillis) {
        public Minute plus(Minute other) {
            return new Minute(requests + other.requests, failed + other.failed, busyMillis + other.busyMillis);
        }
    }

    /**
     * What was recorded, in the terms of {@link Outcome}.
     *
     * @param cost as a fraction of what the target costs on demand; more than 1 if replicas overlapped
     */
    public record Recorded(
            BigDecimal cost, double replicaHours, double spotHours, long interruptions, long requests, long failed) {}

    /** @throws IllegalArgumentException that says what is missing */
    public History {
        nodes = List.copyOf(nodes);
        replicas = List.copyOf(replicas);
        minutes = new TreeMap<>(minutes);
        minutes.values().removeIf(minute -> minute.requests() == 0);
        if (minutes.isEmpty() || nodes.isEmpty()) {
            throw new IllegalArgumentException("the ledger has no %s in this time; choose another --from and --to"
                    .formatted(minutes.isEmpty() ? "request" : "spot node"));
        }
    }

    public Instant start() {
        return minutes.firstKey();
    }

    public Instant end() {
        return minutes.lastKey().plus(MINUTE);
    }

    /** Zones with spot nodes, sorted. */
    public List<String> zones() {
        return nodes.stream().map(SpotNode::zone).distinct().sorted().toList();
    }

    /** @throws IllegalArgumentException if no replica ran for a whole minute */
    public Scenario scenario(Market market, Scenario.Timing timing, Duration timeout, int concurrency) {
        return new Scenario(
                trace(),
                market,
                targets(),
                timing,
                Optional.of(workload(timeout, concurrency)),
                SimulatedPlatform.None);
    }

    /** Losses of spot capacity; zones are sorted. */
    public AvailabilityTrace trace() {
        List<String> zones = zones();
        // Nodes that were lost together make the same change.
        Set<Change> changes = new LinkedHashSet<>();
        for (int zone = 0; zone < zones.size(); zone++) {
            changes.add(new Change(Duration.ZERO, zone, AvailabilityTrace.UNLIMITED, 0));
            for (SpotNode node : nodes) {
                if (node.zone().equals(zones.get(zone))) {
                    started(node, zone).ifPresent(changes::add);
                    lost(node, zone).ifPresent(changes::add);
                }
            }
        }
        return new AvailabilityTrace("ledger", zones, start(), Duration.between(start(), end()), List.copyOf(changes));
    }

    private Optional<Change> started(SpotNode node, int zone) {
        return sinceStart(node.time().start()).map(at -> new Change(at, zone, AvailabilityTrace.UNLIMITED, 0));
    }

    private Optional<Change> lost(SpotNode node, int zone) {
        Optional<Instant> end = node.interrupted() ? node.time().end() : Optional.empty();
        return end.flatMap(this::sinceStart).map(at -> {
            List<SpotNode> there = nodes.stream()
                    .filter(other -> other.zone().equals(node.zone()))
                    .filter(other -> other.time().contains(end.get().minusNanos(1)))
                    .toList();
            long left = there.stream()
                    .filter(other -> other.time().contains(end.get()))
                    .count();
            return left == 0
                    ? new Change(at, zone, 0, 0)
                    : new Change(at, zone, AvailabilityTrace.UNLIMITED, 1 - (double) left / there.size());
        });
    }

    private Optional<Duration> sinceStart(Instant time) {
        return Interval.of(start(), end()).contains(time)
                ? Optional.of(Duration.between(start(), time))
                : Optional.empty();
    }

    Steps targets() {
        NavigableMap<Long, Double> changes = new TreeMap<>();
        changes.put(0L, 0.0);
        long last = Duration.between(start(), end()).toMinutes();
        for (ReplicaRun replica : replicas) {
            replica.time().within(start(), end()).ifPresent(time -> {
                long from = Math.ceilDiv(Duration.between(start(), time.start()).toMillis(), MINUTE.toMillis());
                long until = Duration.between(start(), time.end().orElseThrow()).toMinutes();
                if (from < until) {
                    changes.merge(from, 1.0, Double::sum);
                    changes.merge(until, -1.0, Double::sum);
                }
            });
        }
        NavigableMap<Long, Double> targets = new TreeMap<>();
        double count = 0;
        for (var change : changes.headMap(last).entrySet()) {
            count += change.getValue();
            putChange(targets, change.getKey(), count);
        }
        return new Steps(targets);
    }

    private Workload workload(Duration timeout, int concurrency) {
        NavigableMap<Long, Double> rates = new TreeMap<>();
        rates.put(0L, 0.0);
        minutes.forEach((at, minute) -> {
            long index = Duration.between(start(), at).toMinutes();
            rates.put(index, minute.requests() / MINUTE_SECONDS);
            rates.putIfAbsent(index + 1, 0.0);
        });
        NavigableMap<Long, Double> changes = new TreeMap<>();
        rates.forEach((index, rate) -> putChange(changes, index, rate));
        Minute sum = sum();
        Duration service = Duration.ofMillis(Math.max(1, sum.busyMillis() / sum.requests()));
        return new Workload(new Steps(changes), service, timeout, concurrency);
    }

    private static void putChange(NavigableMap<Long, Double> steps, long minute, double value) {
        if (steps.isEmpty() || steps.lastEntry().getValue() != value) {
            steps.put(minute * MINUTE.toMillis(), value);
        }
    }

    private Minute sum() {
        return minutes.values().stream().reduce(new Minute(0, 0, 0), Minute::plus);
    }

    /** What was recorded, at the prices of a scenario of this history. */
    public Recorded recorded(Scenario scenario) {
        BigDecimal cost = BigDecimal.ZERO;
        double hours = 0;
        double spotHours = 0;
        for (ReplicaRun replica : replicas) {
            Optional<Interval> time = replica.time().within(start(), end());
            if (time.isPresent()) {
                Instant until = time.get().end().orElseThrow();
                double own = time.get().duration(until).toMillis() / 3.6e6;
                hours += own;
                spotHours += replica.offering().isSpot() ? own : 0;
                cost = cost.add(scenario.market()
                        .bill(new BilledInstance(
                                "recorded", replica.offering(), time.get().start(), until, NodeEnd.RELEASED)));
            }
        }
        long interruptions = nodes.stream()
                .filter(SpotNode::interrupted)
                .filter(node -> node.time().end().flatMap(this::sinceStart).isPresent())
                .count();
        BigDecimal onDemand =
                scenario.onDemandCost(Duration.between(start(), end()).toMillis());
        return new Recorded(
                cost.divide(onDemand, new MathContext(6)),
                hours,
                spotHours,
                interruptions,
                sum().requests(),
                sum().failed());
    }
}
