package io.knabla.controller.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when a version may start its next replica after some have ended by themselves. Failed starts and deaths after
 * readiness are counted apart: a replica that answered requests shows that the version works, whatever ended it.
 *
 * @param worked whether a replica was ever ready; then one failed start may be chance, and is repeated at once
 * @param failedStarts in a row: replicas that ended before they were ready
 * @param unusedDeaths in a row: replicas that were ready and ended soon, without having answered a request
 * @param notBefore earliest time of the next start
 * @param reason of the last end, for people
 */
record Backoff(boolean worked, int failedStarts, int unusedDeaths, Instant notBefore, String reason) {
    static final Backoff NONE = new Backoff(false, 0, 0, Instant.MIN, "");

    /** A replica that was ready for this long counts as working, even if nothing was asked of it. */
    static final Duration WORKED_AFTER = Duration.ofSeconds(30);

    /** So many unused deaths in a row are replaced at once: replicas may be killed from outside. */
    static final int FREE_DEATHS = 3;

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** How a replica ended that nobody stopped. */
    enum Death {
        BEFORE_READY,
        UNUSED,
        AFTER_WORK;

        /**
         * @param ready how long the replica was ready; empty if never
         * @param answered whether it answered a request
         */
        static Death of(Optional<Duration> ready, boolean answered) {
            if (ready.isEmpty()) {
                return BEFORE_READY;
            }
            return answered || ready.get().compareTo(WORKED_AFTER) >= 0 ? AFTER_WORK : UNUSED;
        }
    }

    /** The pause doubles with every failure in a row, up to a minute. */
    Backoff after(Death death, Instant now, String why) {
        return switch (death) {
            case BEFORE_READY -> {
                Instant next = worked && failedStarts == 0 ? now : now.plus(pause(failedStarts + 1));
                yield new Backoff(worked, failedStarts + 1, unusedDeaths, next, why);
            }
            case UNUSED -> {
                int deaths = unusedDeaths + 1;
                Instant next = deaths > FREE_DEATHS ? now.plus(pause(deaths - FREE_DEATHS)) : now;
                yield new Backoff(true, 0, deaths, next, why);
            }
            case AFTER_WORK -> new Backoff(true, 0, 0, now, why);
        };
    }

    /** A start worked, which ends the row of failed ones. */
    Backoff started() {
        return worked && failedStarts == 0 ? this : new Backoff(true, 0, unusedDeaths, Instant.MIN, reason);
    }

    boolean allows(Instant now) {
        return !now.isBefore(notBefore);
    }

    /** Whether the version seems broken: then replicas are started one at a time, not to fill the machine with it. */
    boolean failing() {
        return failedStarts > 0 || unusedDeaths > FREE_DEATHS;
    }

    /** Whether it failed more than once, so that chance is unlikely. */
    boolean failingRepeatedly() {
        return failedStarts > 1 || unusedDeaths > FREE_DEATHS;
    }

    /** What goes wrong, for people; continues a sentence that begins with the version. */
    String explanation() {
        return failedStarts > 0
                ? "cannot be started, tried %d times: %s".formatted(failedStarts, reason)
                : "starts, but %d replicas in a row ended before they answered a request; the last one: %s"
                        .formatted(unusedDeaths, reason);
    }

    private static Duration pause(int failures) {
        Duration pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
}
