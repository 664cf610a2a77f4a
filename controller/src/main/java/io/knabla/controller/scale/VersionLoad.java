package io.knabla.controller.scale;

import io.knabla.controller.platform.KeepWarm.Demand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures the concurrency of one version: the gateway counts requests in and out, the autoscaler reads averages. A
 * request counts from its arrival to its last byte, waiting included. Thread-safe.
 */
public final class VersionLoad {
    /** Longest window; equals Knative's default stable window. */
    static final Duration REMEMBERED = Duration.ofSeconds(60);

    private final InstantSource clock;
    private final Demand demand;
    private final ConcurrencySeries series;
    private final Set<String> answered = ConcurrentHashMap.newKeySet();

    /** Requests that the utilization of a replica stands for, beyond those that it has. */
    private final Map<String, Integer> beyond = new HashMap<>();

    private int requests;
    private long lastActive;

    public VersionLoad(InstantSource clock) {
        this(clock, Demand.IGNORED);
    }

    /** @param demand counts the requests of all versions of the function */
    VersionLoad(InstantSource clock, Demand demand) {
        this.clock = clock;
        this.demand = demand;
        lastActive = clock.millis();
        series = new ConcurrencySeries(REMEMBERED, lastActive);
    }

    public synchronized void requestStarted() {
        long now = clock.millis();
        requests++;
        series.change(now, 1);
        demand.requests(1, now);
    }

    public synchronized void requestEnded() {
        lastActive = clock.millis();
        requests--;
        series.change(lastActive, -1);
        demand.requests(-1, lastActive);
    }

    /** Notes that this replica has answered a request: the version works. */
    public void replicaAnswered(String replica) {
        answered.add(replica);
    }

    /**
     * Counts a replica that is used more than its requests tell as one with more of them, until it reports another
     * utilization or ends.
     */
    synchronized void utilized(String replica, int beyondRequests) {
        Integer before = beyondRequests == 0 ? beyond.remove(replica) : beyond.put(replica, beyondRequests);
        series.change(clock.millis(), beyondRequests - Objects.requireNonNullElse(before, 0));
    }

    /** Whether this replica, which has ended, answered a request. */
    boolean forgetReplica(String replica) {
        utilized(replica, 0);
        return answered.remove(replica);
    }

    /** Requests at once. */
    public synchronized int current() {
        return requests;
    }

    /**
     * Average number of requests at once. A request that arrived in this very millisecond counts as well: otherwise the
     * first one after a silence would wait for the next evaluation.
     */
    synchronized double average(Instant now, Duration window) {
        double average = series.average(now.toEpochMilli(), window);
        return average == 0 ? series.current() : average;
    }

    /** Time since the last request ended; zero while there is one. */
    synchronized Duration idleFor(Instant now) {
        return requests > 0 ? Duration.ZERO : Duration.ofMillis(Math.max(0, now.toEpochMilli() - lastActive));
    }

    /** Restarts the idle time, for a replica that was started without a request. */
    synchronized void resetIdle() {
        lastActive = Math.max(lastActive, clock.millis());
    }
}
