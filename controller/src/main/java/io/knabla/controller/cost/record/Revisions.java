package io.knabla.controller.cost.record;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Makes revisions of records: microseconds of the clock, with a high bit if the record ended, so that an ended one
 * always beats one that lasts, and otherwise the later one the earlier.
 */
final class Revisions {
    private static final long ENDED = 1L << 62;

    private Revisions() {}

    /** Returns a revision above the last one, also if the clock was set back. */
    static long next(Optional<Long> last, boolean ended, Instant now) {
        long wanted = ChronoUnit.MICROS.between(Instant.EPOCH, now) | (ended ? ENDED : 0);
        return last.map(before -> Math.max(wanted, before + 1)).orElse(wanted);
    }

    /** When the record of this revision was made. */
    static Instant time(long revision) {
        return Instant.EPOCH.plus(revision & ~ENDED, ChronoUnit.MICROS);
    }
}
