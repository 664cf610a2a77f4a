package io.knabla.controller.cluster.knative.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Remembers that the cluster had no place for a Job, so that not everybody waits to learn the same. */
final class Vacancy {
    /** Longer than a Job may wait for its place. */
    static final Duration PAUSE = EngineJob.START.multipliedBy(2);

    private final Clock clock;
    private Optional<String> why = Optional.empty();
    private Instant next = Instant.MIN;

    Vacancy(Clock clock) {
        this.clock = clock;
    }

    /** Why none shall be tried now; after each pause one may, of which the others await the outcome. */
    synchronized Optional<String> none() {
        Instant now = clock.instant();
        if (why.isEmpty() || now.isBefore(next)) {
            return why;
        }
        next = now.plus(PAUSE);
        return Optional.empty();
    }

    synchronized void missed(String reason) {
        why = Optional.of(reason);
        next = clock.instant().plus(PAUSE);
    }

    synchronized void found() {
        why = Optional.empty();
    }
}
