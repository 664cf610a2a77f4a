package io.knabla.controller.scale;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.scale.Backoff.Death;
import io.knabla.controller.scale.KpaDecider.Decision;
import io.knabla.controller.scale.KpaDecider.Memory;
import io.knabla.controller.scale.KpaDecider.ScaleReason;
import io.knabla.controller.scale.KpaDecider.Signal;
import io.knabla.controller.spot.live.VersionFleet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Autoscaling state of one version. Written by the autoscaler's thread only, read by any. */
final class VersionScaling {
    final VersionKey key;
    final VersionLoad load;
    private final KeepWarm keepWarm;
    volatile Version version;

    /** When each live replica became ready, which decides whether earlier failures are forgiven. */
    private final Map<String, Instant> readySince = new HashMap<>();

    volatile Backoff backoff = Backoff.NONE;
    volatile Replica.Failure lastFailure = Replica.Failure.UNSPECIFIED;
    volatile Optional<Unavailable> unplaceable = Optional.empty();
    volatile Optional<Decision> decision = Optional.empty();
    private Memory memory;

    /** Plans where its replicas run. */
    final VersionFleet fleet;

    /** Since when its requests or its deploy wait for a free slot and no replica of it runs. */
    volatile Optional<Instant> pendingSince = Optional.empty();

    /** A replica of it was evicted; until its next request it must not take the slot back. */
    boolean yielding;

    VersionScaling(
            VersionKey key,
            Version version,
            InstantSource clock,
            KeepWarm keepWarm,
            boolean proven,
            VersionFleet fleet) {
        this.fleet = fleet;
        this.key = key;
        this.version = version;
        this.load = new VersionLoad(clock, keepWarm.demand(key.function()));
        this.keepWarm = keepWarm;
        memory = proven ? Memory.resumed(Instant.EPOCH, 0) : Memory.fresh();
    }

    boolean owns(Replica replica) {
        return replica.isOf(key.function(), version);
    }

    /**
     * @param running replicas that hold resources, ready or not
     * @param mayProve whether this is the newest version, the only one started without traffic to prove that it works
     */
    Decision decide(Instant now, int running, int ready, boolean reachable, boolean mayProve) {
        Memory before = mayProve || memory.started()
                ? memory
                : new Memory(memory.panicSince(), memory.panicMaximum(), memory.recent(), true);
        KpaPolicy policy =
                KpaPolicy.of(version.spec(), keepWarm.of(key.function()).minimum(running));
        Signal signal = new Signal(
                now,
                load.average(now, policy.stableWindow()),
                load.average(now, policy.panicWindow()),
                ready,
                reachable,
                load.idleFor(now));
        Decision decided = KpaDecider.decide(policy, signal, before);
        memory = decided.next();
        decision = Optional.of(decided);
        return decided;
    }

    /** @param inFlight requests that the replica has */
    void utilized(String replica, int percent, int inFlight) {
        int asMany = Math.ceilDiv(percent * version.spec().scaling().concurrency(), 100);
        load.utilized(replica, Math.max(0, asMany - inFlight));
    }

    /** Does nothing if it was ready before: it only answers its probes again. */
    void ready(Replica replica, Instant now) {
        if (readySince.putIfAbsent(replica.id(), now) != null) {
            return;
        }
        backoff = backoff.started();
        fleet.started(Duration.between(replica.started(), now));
        clearUnplaced();
        if (decision.filter(last -> last.why() == ScaleReason.AT_MINIMUM).isEmpty()) {
            // A replica that was started without a request, to prove the version, also gets the whole idle time.
            load.resetIdle();
        }
    }

    void failed(Replica replica, Instant now) {
        Optional<Duration> ready =
                Optional.ofNullable(readySince.remove(replica.id())).map(since -> Duration.between(since, now));
        boolean answered = load.forgetReplica(replica.id());
        lastFailure = replica.failure();
        backoff = backoff.after(Death.of(ready, answered), now, replica.reason());
    }

    void stopped(Replica replica) {
        readySince.remove(replica.id());
        load.forgetReplica(replica.id());
        fleet.stopped(replica.id());
    }

    void unplaced(Unavailable why, boolean nothingRuns, Instant now) {
        unplaceable = Optional.of(why);
        pendingSince = nothingRuns && awaited() ? pendingSince.or(() -> Optional.of(now)) : Optional.empty();
    }

    void clearUnplaced() {
        unplaceable = Optional.empty();
        pendingSince = Optional.empty();
    }

    /** Whether it still waits for a slot: its requests may have ended meanwhile. */
    boolean pending() {
        return pendingSince.isPresent() && awaited();
    }

    /** Whether somebody waits for its first replica: requests, or a deploy. */
    private boolean awaited() {
        return load.current() > 0
                || decision.filter(last -> last.why() == ScaleReason.PROVING).isPresent();
    }

    /** Whether it may take a slot that another version waits for: for its minimum, or its first replica on demand. */
    boolean mayTakeContestedSlot(int running, boolean reachable) {
        return running < minimum(reachable) || (running == 0 && awaited());
    }

    /** Replicas that it keeps even without requests. */
    int minimum(boolean reachable) {
        return reachable ? version.spec().scaling().min() : 0;
    }

    Unavailable.Kind failureKind() {
        return switch (lastFailure) {
            case UNSPECIFIED, INTERRUPTED -> Unavailable.Kind.CrashLoop;
            case OUT_OF_MEMORY -> Unavailable.Kind.OOMKilled;
            case DEVICE_LOST -> Unavailable.Kind.DeviceLost;
        };
    }

    Optional<Unavailable> crashLoop(Instant now) {
        return backoff.allows(now)
                ? Optional.empty()
                : Optional.of(new Unavailable(
                        failureKind(), key + " " + backoff.explanation(), Duration.between(now, backoff.notBefore())));
    }
}
