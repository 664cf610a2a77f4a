package io.knabla.controller.knative.interruption;

import io.knabla.controller.knative.interruption.Crowding.Crowded;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spreads the replicas of a version over nodes again: asks for one replica more until another node has one, and
 * Kubernetes then ends one on the node with the most. At most one version a minute, and as far as {@code scaling.max}
 * allows. One thread at a time.
 */
final class Spreading {
    /** After an interruption, replicas of other nodes are still to come. */
    static final Duration SETTLED = Duration.ofSeconds(30);

    /** Between two starts, of whichever versions. */
    static final Duration PACE = Duration.ofMinutes(1);

    /** A replica that has an image to pull first is ready within this time. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** After a replica that no other node took, or that did not start. */
    static final Duration BACKOFF = Duration.ofMinutes(10);

    private final Map<VersionKey, Instant> crowdedSince = new HashMap<>();
    private final Map<VersionKey, Instant> notBefore = new HashMap<>();
    private Optional<Attempt> current = Optional.empty();
    private Instant next = Instant.MIN;

    /**
     * @param replicas that must run, with the additional one
     * @param crowded as it was at the start
     */
    record Attempt(VersionKey version, int replicas, Crowded crowded, Instant since) {
        boolean isSpread(List<RunningPod> ready) {
            return ready.size() >= replicas
                    && ready.stream()
                            .anyMatch(pod -> !pod.node().equals(crowded.node())
                                    // Creation times are whole seconds.
                                    && !pod.created().isBefore(since.truncatedTo(ChronoUnit.SECONDS)));
        }
    }

    /** What a round changed. */
    sealed interface Change {
        record Nothing() implements Change {}

        /** An additional replica is to start. */
        record Started(Attempt attempt) implements Change {}

        /** The additional replica is ready on another node. */
        record Spread(Attempt attempt) implements Change {}

        /** The additional replica is on the same node, or not ready in time. */
        record Failed(Attempt attempt) implements Change {}
    }

    /** @param pods of all workloads */
    Change round(Collection<RunningPod> pods, Map<VersionKey, Crowded> crowding, Instant now) {
        crowdedSince.keySet().retainAll(crowding.keySet());
        crowding.keySet().forEach(version -> crowdedSince.putIfAbsent(version, now));
        notBefore.values().removeIf(time -> !now.isBefore(time));
        Change change = current.map(attempt -> outcome(attempt, pods, now)).orElseGet(() -> start(crowding, now));
        switch (change) {
            case Change.Nothing _ -> {}
            case Change.Started(Attempt attempt) -> {
                current = Optional.of(attempt);
                next = now.plus(PACE);
            }
            case Change.Spread _ -> current = Optional.empty();
            case Change.Failed(Attempt attempt) -> {
                current = Optional.empty();
                notBefore.put(attempt.version(), now.plus(BACKOFF));
            }
        }
        return change;
    }

    private Change start(Map<VersionKey, Crowded> crowding, Instant now) {
        return crowding.keySet().stream()
                .filter(_ -> !now.isBefore(next))
                .filter(version -> !notBefore.containsKey(version))
                .filter(version -> !now.isBefore(crowdedSince.get(version).plus(SETTLED)))
                .min(Comparator.comparing(crowdedSince::get))
                .map(version -> {
                    Crowded crowded = crowding.get(version);
                    return new Attempt(version, crowded.replicas() + 1, crowded, now);
                })
                .<Change>map(Change.Started::new)
                .orElseGet(Change.Nothing::new);
    }

    private static Change outcome(Attempt attempt, Collection<RunningPod> pods, Instant now) {
        WorkloadOwner owner = WorkloadOwner.of(attempt.version());
        List<RunningPod> ready = pods.stream()
                .filter(pod -> pod.ready() && pod.owner().equals(owner))
                .toList();
        if (attempt.isSpread(ready)) {
            return new Change.Spread(attempt);
        }
        boolean over = ready.size() >= attempt.replicas()
                || !now.isBefore(attempt.since().plus(PATIENCE));
        return over ? new Change.Failed(attempt) : new Change.Nothing();
    }

    /** Another controller decides from now on. */
    void clear() {
        crowdedSince.clear();
        notBefore.clear();
        current = Optional.empty();
    }

    /** Replicas that must run, by version. */
    Map<VersionKey, Integer> minimums() {
        return current.map(attempt -> Map.of(attempt.version(), attempt.replicas()))
                .orElse(Map.of());
    }
}
