package io.knabla.controller.platform;

import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the nodes whose GPU was lost. They get no new replicas for ten minutes. Thread-safe. */
@Singleton
public final class LostGpus {
    /** Time for somebody to look at it, or for the driver to reset it; then the next replica shows how it is. */
    public static final Duration CLOSED = Duration.ofMinutes(10);

    private final Clock clock;
    private final Map<String, Loss> losses = new ConcurrentHashMap<>();

    /** @param until when the node may be used again */
    public record Loss(GpuError error, Instant until) {}

    public LostGpus(Clock clock) {
        this.clock = clock;
    }

    /** A replica on the node told of the error, now. */
    public void told(String node, GpuError error) {
        if (error.costsDevice()) {
            losses.put(node, new Loss(error, clock.instant().plus(CLOSED)));
        }
    }

    /** Why the node gets no new replicas; empty if it may. */
    public Optional<Loss> of(String node, Instant now) {
        return Optional.ofNullable(losses.get(node)).filter(loss -> now.isBefore(loss.until()));
    }
}
