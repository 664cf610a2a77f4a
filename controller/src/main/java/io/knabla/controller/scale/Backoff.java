package io.knabla.controller.scale;

import java.time.Duration;
import java.time.Instant;

/**
 * When a version whose replicas fail may be started again: the pause doubles with every failure in a row, up to a
 * minute.
 *
 * @param failures in a row
 * @param notBefore the next start is allowed then
 * @param reason of the last failure, for people
 */
record Backoff(int failures, Instant notBefore, String reason) {
    static final Backoff NONE = new Backoff(0, Instant.MIN, "");

    /** A replica that worked for this long pays off the failures before it. */
    static final Duration FORGIVEN_AFTER = Duration.ofSeconds(30);

    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * @param worked how long it was ready; zero if never. One that had worked is replaced at once the first time: it
     *     may have been killed from outside.
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
