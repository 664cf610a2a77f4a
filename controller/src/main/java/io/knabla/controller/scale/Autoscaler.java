package io.knabla.controller.scale;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.fleet.FleetView;
import io.knabla.controller.spot.live.FleetTiming;
import io.knabla.controller.spot.signal.CapacitySignal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Starts and stops replicas of each version: {@link KpaDecider} decides how many, {@link Placement} where. Evaluates
 * every two seconds, and at once when a request finds no replica. Scales on one thread, the executor's.
 */
public final class Autoscaler implements Lifecycle {
    static final Duration PERIOD = FleetTiming.LAPTOP.period();
    private static final System.Logger LOG = System.getLogger(Autoscaler.class.getName());
    private static final Duration LAST_ROUND = Duration.ofSeconds(3);

    /** Notified when a version cannot answer: its queued requests are then rejected. */
    @FunctionalInterface
    public interface UnavailableListener {
        void unavailable(VersionKey version, Unavailable trouble);
    }

    private final Cluster cluster;
    private final Catalog catalog;
    private final ProvenUnits provenUnits;
    private final InstantSource clock;
    private final ScheduledExecutorService executor;
    private final Map<VersionKey, VersionScaling> versions = new ConcurrentHashMap<>();
    private final Map<FunctionId, FunctionRecord> functions = new ConcurrentHashMap<>();
    private final List<UnavailableListener> unavailableListeners = new CopyOnWriteArrayList<>();
    private volatile ToIntFunction<String> inFlight = replica -> 0;
    private volatile KeepWarm keepWarm = KeepWarm.NONE;
    private final Preemptor preemptor;
    private final ReplicaScaler scaler;
    private final SpotCapacity capacity;
    private boolean roomCheckScheduled;

    /** @param executor single-threaded; closed with this */
    public Autoscaler(
            Cluster cluster,
            Catalog catalog,
            ProvenUnits proofs,
            SpotCapacity capacity,
            InstantSource clock,
            ScheduledExecutorService executor) {
        this.cluster = cluster;
        this.preemptor = new Preemptor(cluster, versions.values());
        this.capacity = capacity;
        this.scaler = new ReplicaScaler(cluster, preemptor, capacity, this::notifyUnavailable);
        this.catalog = catalog;
        this.provenUnits = proofs;
        this.clock = clock;
        this.executor = executor;
    }

    /** Starts the loop; the first evaluation stops replicas that belong to no version. */
    public void start() {
        cluster.onChange(this::replicaChanged);
        cluster.onUtilization((replica, percent) -> submit(() -> utilizationChanged(replica, percent)));
        capacity.signals().onSignal(this::signalled);
        catalog.onChange(this::functionChanged);
        catalog.list().forEach(record -> functionChanged(record.id(), Optional.of(record)));
        long period = PERIOD.toMillis();
        executor.scheduleWithFixedDelay(() -> guarded(this::tick), 0, period, TimeUnit.MILLISECONDS);
    }

    /** Sets the counter of each replica's requests in flight; the least busy replica is stopped first. */
    public void countInFlight(ToIntFunction<String> counter) {
        inFlight = counter;
    }

    void keepWarm(KeepWarm warm) {
        keepWarm = warm;
    }

    public void onUnavailable(UnavailableListener listener) {
        unavailableListeners.add(listener);
    }

    /** Evaluates the version now, because a request arrived and no replica runs. */
    public void evaluateNow(VersionKey key) {
        submit(() -> {
            VersionScaling version = versions.get(key);
            if (version != null) {
                evaluate(version);
                makeRoom();
            }
        });
    }

    /** Stops the version's replicas until its next request; false if it must keep some, or is gone. */
    public boolean unload(VersionKey key) {
        VersionScaling version = versions.get(key);
        if (version == null || version.minimum(reachable(version)) > 0) {
            return false;
        }
        submit(() -> {
            version.yielding = true;
            cluster.replicas().stream()
                    .filter(version::owns)
                    .filter(Autoscaler::isRunning)
                    .forEach(replica -> cluster.stop(replica.id()));
        });
        return true;
    }

    /** Counter of this version's requests, which the gateway updates; empty if the version is gone. */
    public Optional<VersionLoad> load(VersionKey key) {
        return Optional.ofNullable(versions.get(key)).map(version -> version.load);
    }

    /** Why requests should not wait for this version now. */
    public Optional<Unavailable> unavailable(VersionKey key) {
        VersionScaling version = versions.get(key);
        return version == null ? Optional.empty() : version.crashLoop(clock.instant());
    }

    /** Probes a replica at once that did not answer a request. */
    public void suspect(String replica) {
        cluster.suspect(replica);
    }

    /** Whether a node was taken back, or is about to be. */
    public boolean isTakenBack(String node) {
        return capacity.signals()
                .of(node)
                .filter(CapacitySignal::isInterruption)
                .isPresent();
    }

    /** Counts a request that was sent to another replica after this one. */
    public void retried(String replica) {
        cluster.retried(replica);
    }

    /** Why no replica of this version runs though its requests wait. */
    public Optional<Unavailable> unplaced(VersionKey key) {
        return Optional.ofNullable(versions.get(key))
                .filter(VersionScaling::pending)
                .flatMap(version -> version.unplaceable);
    }

    Optional<VersionScaling> scaling(VersionKey key) {
        return Optional.ofNullable(versions.get(key));
    }

    public Optional<Integer> readyVersion(FunctionRecord record) {
        return record.versions().reversed().stream()
                .filter(version -> provenUnits.has(version.unit()))
                .map(Version::number)
                .findFirst();
    }

    /** The split in force, where {@code latest} is the newest version that has been ready once. */
    public List<VersionShare> traffic(FunctionRecord record) {
        return record.effectiveTraffic(
                readyVersion(record).orElse(record.latest().number()));
    }

    void tick() {
        Collection<Replica> running =
                cluster.replicas().stream().filter(Autoscaler::isRunning).toList();
        for (Replica replica : running) {
            VersionScaling version = versions.get(VersionKey.of(replica));
            if (version == null || !version.owns(replica)) {
                cluster.stop(replica.id());
            }
        }
        versions.values().forEach(version -> guarded(() -> evaluate(version)));
        capacity.reasons().retain(cluster.replicas().stream().map(Replica::id).toList());
        makeRoom();
    }

    /** Updates what routing needs on the caller's thread, the rest on the executor. */
    private void functionChanged(FunctionId id, Optional<FunctionRecord> now) {
        now.ifPresentOrElse(record -> functions.put(id, record), () -> functions.remove(id));
        now.ifPresent(record -> record.versions()
                .forEach(version -> versions.compute(
                        new VersionKey(id, version.number()), (key, old) -> stateFor(key, version, old))));
        versions.keySet()
                .removeIf(key -> key.function().equals(id)
                        && now.flatMap(r -> r.version(key.version())).isEmpty());
        if (now.isEmpty()) {
            cluster.replicas().stream()
                    .filter(replica -> replica.function().equals(id))
                    .filter(Autoscaler::isRunning)
                    .forEach(replica -> cluster.stop(replica.id()));
        }
        submit(this::tick);
    }

    private VersionScaling stateFor(VersionKey key, Version version, VersionScaling old) {
        boolean same = old != null && old.version.created().equals(version.created());
        if (same) {
            old.version = version; // its bounds may have changed
            return old;
        }
        return new VersionScaling(
                key, version, clock, keepWarm, provenUnits.has(version.unit()), capacity.fleet(key.function()));
    }

    private void replicaChanged(Replica replica) {
        VersionScaling version = versions.get(VersionKey.of(replica));
        if (version == null || !version.owns(replica)) {
            return;
        }
        switch (replica.state()) {
            case STARTING, DRAINING, UNRESPONSIVE -> {}
            case READY -> {
                // At once: the gateway reads the split when it is notified of this replica.
                provenUnits.add(version.version.unit());
                submit(() -> {
                    version.ready(replica, clock.instant());
                    if (!capacity.signals().current().isEmpty()) {
                        // It may be the replacement that another one waits for.
                        evaluate(version);
                    }
                });
            }
            case STOPPED ->
                submit(() -> {
                    preemptor.ended(replica);
                    version.stopped(replica);
                    retryUnplaced();
                    if (version.version.spec().hasSingleWriter()) {
                        evaluate(version);
                    }
                });
            case FAILED ->
                submit(() -> {
                    preemptor.ended(replica);
                    failed(version, replica);
                    LOG.log(INFO, "{0} failed: {1}", replica.id(), replica.reason());
                    evaluate(version);
                    retryUnplaced();
                });
        }
    }

    /** On the executor, as the end of a replica is: what a replica reported must not outlive it. */
    private void utilizationChanged(String id, int percent) {
        cluster.replicas().stream()
                .filter(replica -> replica.id().equals(id) && isRunning(replica))
                .findFirst()
                .map(replica -> versions.get(VersionKey.of(replica)))
                .ifPresent(version -> version.utilized(id, percent, inFlight.applyAsInt(id)));
    }

    /** An interruption is no fault of the version: its next replica starts at once. */
    private void failed(VersionScaling version, Replica replica) {
        if (replica.failure() == Replica.Failure.INTERRUPTED) {
            cluster.nodes().stream()
                    .filter(node -> node.name().equals(replica.node()))
                    .forEach(node -> version.fleet.lost(replica.id(), FleetView.offering(node), clock.instant()));
            version.stopped(replica);
        } else {
            version.failed(replica, clock.instant());
        }
    }

    /** Acts at once for the versions with replicas on the node. */
    private void signalled(CapacitySignal signal) {
        LOG.log(INFO, "node {0}: {1} until {2}", signal.node(), signal.kind(), signal.until());
        capacity.noted(signal, cluster, clock.instant());
        submit(() -> {
            Set<VersionKey> affected = cluster.replicas().stream()
                    .filter(replica -> replica.node().equals(signal.node()))
                    .map(VersionKey::of)
                    .collect(Collectors.toSet());
            versions.values().stream()
                    .filter(version -> affected.contains(version.key))
                    .forEach(this::evaluate);
            makeRoom();
        });
    }

    /** Those whose requests wait longest first. */
    private void retryUnplaced() {
        versions.values().stream()
                .filter(version -> version.unplaceable.isPresent())
                .sorted(Preemptor.BY_PENDING)
                .forEach(this::evaluate);
        makeRoom();
    }

    /** Drains idle replicas if versions wait for a slot, and looks again soon while there are any. */
    private void makeRoom() {
        boolean pending = preemptor.makeRoom(version -> version.minimum(reachable(version)), clock.instant());
        if (pending && !roomCheckScheduled) {
            roomCheckScheduled = true;
            executor.schedule(() -> guarded(this::checkRoom), Preemptor.PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void checkRoom() {
        roomCheckScheduled = false;
        makeRoom();
    }

    private boolean reachable(VersionScaling version) {
        FunctionRecord record = functions.get(version.key.function());
        return record != null
                && traffic(record).stream()
                        .anyMatch(share -> share.version() == version.key.version() && share.isReachable());
    }

    private void evaluate(VersionScaling version) {
        FunctionRecord record = functions.get(version.key.function());
        if (record == null || versions.get(version.key) != version) {
            return;
        }
        Instant now = clock.instant();
        List<Replica> mine = cluster.replicas().stream()
                .filter(version::owns)
                .filter(Autoscaler::isRunning)
                .toList();
        // An unresponsive one counts: it either answers again soon, or fails and is replaced then.
        int ready = (int)
                mine.stream().filter(r -> r.state() != Replica.State.STARTING).count();
        boolean newest = record.latest().number() == version.key.version();
        boolean reachable = reachable(version);
        int wanted = version.decide(now, mine.size(), ready, reachable, newest).replicas();
        version.yielding &= version.load.current() == 0;
        if (version.yielding) {
            wanted = Math.min(wanted, Math.max(mine.size(), version.minimum(reachable)));
        }
        scaler.scale(version, wanted, reachable, inFlight, now);
    }

    private void notifyUnavailable(VersionScaling version, Unavailable trouble) {
        unavailableListeners.forEach(listener -> listener.unavailable(version.key, trouble));
    }

    static boolean isRunning(Replica replica) {
        return switch (replica.state()) {
            case STARTING, READY, UNRESPONSIVE -> true;
            case DRAINING, STOPPED, FAILED -> false;
        };
    }

    private void submit(Runnable task) {
        try {
            executor.execute(() -> guarded(task));
        } catch (RejectedExecutionException closed) {
            // The controller is stopping.
        }
    }

    /** A bug in one version must not stop the loop for all. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException error) {
            LOG.log(ERROR, "scaling failed, the next evaluation tries again", error);
        }
    }

    /** Afterwards no replica is started: the cluster, which closes next, would not see one that is being started. */
    @Override
    public void close() {
        executor.shutdownNow();
        try {
            executor.awaitTermination(LAST_ROUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }
}
