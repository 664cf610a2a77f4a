package io.knabla.controller.cost.ledger;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of compaction, reading and retention.
 *
 * @param temporaryFolder folder for files that are being merged or read, created if it is absent; a name without
 *     {@code * ? [ ] { } '}
 * @param retention an hour is deleted when the last of its rows ended this long ago ({@code usage.retention})
 * @param grace at least an hour: for this long after its upload, and after the last change of its hour's manifest, a
 *     Parquet file that no manifest names is kept, because it may be about to be named, or still being read; longer
 *     than the clocks of this machine and of the store differ
 */
public record LedgerSettings(Path temporaryFolder, Duration retention, Duration grace) {
    private static final Duration MIN_GRACE = Duration.ofHours(1);

    public LedgerSettings {
        if (grace.compareTo(MIN_GRACE) < 0) {
            throw new IllegalArgumentException(
                    "the grace time of the usage ledger is %s, but must be at least %s".formatted(grace, MIN_GRACE));
        }
        if (retention.compareTo(grace) < 0) {
            throw new IllegalArgumentException(
                    "usage.retention is %s, but must be at least the grace time of %s; raise it"
                            .formatted(retention, grace));
        }
    }

    /** A merge that took longer is not committed: its files must not be near the end of their grace. */
    Duration maxMerge() {
        return grace.dividedBy(2);
    }
}
