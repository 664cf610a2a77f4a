package io.knabla.controller.knative.jobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Circuit breaker for Jobs: after one could not start, rejects others for a while, since each would wait as long. */
final class JobStartBreaker {
    /** Longer than a Job may wait for its start. */
    static final Duration PAUSE = EngineJob.START.multipliedBy(2);

    private final Clock clock;
    private Optional<String> why = Optional.empty();
    private Instant next = Instant.MIN;

    JobStartBreaker(Clock clock) {
        this.clock = clock;
    }

    /** Why a Job must not be created now; empty if it may. Each pause lets one Job through as a trial. */
    synchronized Optional<String> rejection() {
        Instant now = clock.instant();
        if (why.isEmpty() || now.isBefore(next)) {
            return why;
        }
        next = now.plus(PAUSE);
        return Optional.empty();
    }

    synchronized void recordFailure(String reason) {
        why = Optional.of(reason);
        next = clock.instant().plus(PAUSE);
    }

    synchronized void recordSuccess() {
        why = Optional.empty();
    }
}
