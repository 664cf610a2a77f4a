package io.knabla.controller.knative.placement;

import io.knabla.controller.spot.live.RecentSamples;
import io.knabla.controller.usage.ReplicaInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Averages how many requests a version works on at once over a minute, Knative's stable window, from the durations that
 * its replicas add up. The PodAutoscaler does not tell the load: what it wants includes the minimum that it was given.
 */
final class LoadEstimate {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Map<String, Long> busy = new HashMap<>();
    private final RecentSamples<Long> samples = new RecentSamples<>(WINDOW);
    private long total;

    /** @param replicas of the version that run */
    void observe(Collection<ReplicaInterval> replicas, Instant now) {
        for (ReplicaInterval replica : replicas) {
            long millis = replica.work().busyMillis();
            Long before = busy.put(replica.id(), millis);
            // What a replica did before the first sample has no known time.
            long unknown = samples.isEmpty() ? millis : 0;
            total += Math.max(0, millis - (before == null ? unknown : before));
        }
        busy.keySet().retainAll(replicas.stream().map(ReplicaInterval::id).toList());
        samples.add(total, now);
    }

    /** Requests at once; zero before the second sample. */
    double concurrency() {
        Duration span = Duration.between(samples.oldest().at(), samples.newest().at());
        long worked = samples.newest().value() - samples.oldest().value();
        return span.isZero() ? 0 : (double) worked / span.toMillis();
    }
}
