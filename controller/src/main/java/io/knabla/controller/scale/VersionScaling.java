package io.knabla.controller.scale;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.scale.KpaDecider.Decision;
import io.knabla.controller.scale.KpaDecider.Memory;
import io.knabla.controller.scale.KpaDecider.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Autoscaling state of one version. Written by the autoscaler's thread only, read by any. */
final class VersionScaling {
    final VersionKey key;
    final VersionLoad load;
    volatile Version version;

    /** When each live replica became ready, which decides whether earlier failures are forgiven. */
    private final Map<String, Instant> readySince = new HashMap<>();

    volatile Backoff backoff = Backoff.NONE;
    volatile Replica.Failure lastFailure = Replica.Failure.UNSPECIFIED;
    volatile Optional<Unavailable> unplaceable = Optional.empty();
    volatile Optional<Decision> decision = Optional.empty();
    private Memory memory;

    VersionScaling(VersionKey key, Version version, VersionLoad load, boolean proven) {
        this.key = key;
        this.version = version;
        this.load = load;
        memory = proven ? Memory.resumed(Instant.EPOCH, 0) : Memory.fresh();
    }

    /** A replica that started before its version was created belongs to a deleted function of the same name. */
    boolean owns(Replica replica) {
        return replica.function().equals(key.function())
                && replica.version() == key.version()
                && !replica.started().isBefore(version.created());
    }

    /**
     * @param mayProve whether this is the newest version, the only one started without traffic to prove that it works
     */
    Decision decide(Instant now, int ready, boolean reachable, boolean mayProve) {
        Memory before = mayProve || memory.started()
                ? memory
                : new Memory(memory.panicSince(), memory.panicMaximum(), memory.recent(), true);
        KpaPolicy policy = KpaPolicy.of(version.spec());
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

    void ready(Replica replica, Instant now) {
        readySince.put(replica.id(), now);
        unplaceable = Optional.empty();
        // A replica that was started without a request also gets the whole idle time.
        load.resetIdle();
    }

    void failed(Replica replica, Instant now) {
        Instant since = readySince.remove(replica.id());
        // Never zero for a replica that was ready: zero means that it never was.
        Duration worked =
                since == null ? Duration.ZERO : Duration.between(since, now).plusNanos(1);
        lastFailure = replica.failure();
        backoff = backoff.failed(now, worked, replica.reason());
    }

    void stopped(Replica replica) {
        readySince.remove(replica.id());
    }

    Unavailable.Kind failureKind() {
        return switch (lastFailure) {
            case UNSPECIFIED -> Unavailable.Kind.CrashLoop;
            case OUT_OF_MEMORY -> Unavailable.Kind.OOMKilled;
        };
    }

    Optional<Unavailable> crashLoop(Instant now) {
        return backoff.allows(now)
                ? Optional.empty()
                : Optional.of(new Unavailable(
                        failureKind(),
                        "%s cannot be started, tried %d times: %s".formatted(key, backoff.failures(), backoff.reason()),
                        Duration.between(now, backoff.notBefore())));
    }
}
