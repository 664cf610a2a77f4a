package io.knabla.controller.scale;

import java.time.Duration;
import java.time.Instant;

/**
 * Exponential backoff of a version whose replicas fail: the pause before the next start doubles with every failure in a
 * row, up to a minute.
 *
 * @param failures in a row
 * @param notBefore earliest time of the next start
 * @param reason of the last failure, for people
 */
record Backoff(int failures, Instant notBefore, String reason) {
    static final Backoff NONE = new Backoff(0, Instant.MIN, "");

    /** A replica that was ready for this long resets the count of failures. */
    static final Duration FORGIVEN_AFTER = Duration.ofSeconds(30);

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * @param worked how long the replica was ready; zero if never. The first failure of a replica that was ready causes
     *     no pause: it may have been killed from outside.
     */
    Backoff failed(Instant now, Duration worked, String why) {
        boolean forgiven = worked.compareTo(FORGIVEN_AFTER) >= 0;
        int inARow = forgiven ? 1 : failures + 1;
        boolean atOnce = inARow == 1 && !worked.isZero();
        return new Backoff(inARow, atOnce ? now : now.plus(pause(inARow)), why);
    }

    boolean allows(Instant now) {
        return !now.isBefore(notBefore);
    }

    private static Duration pause(int failures) {
        Duration pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
}
