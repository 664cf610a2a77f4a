package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.VersionKey;
import io.knabla.runtime.http.RequestTrace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Logs each request that ends with an error of the server, by its id: at most ten in a second, since a flood of them
 * must not fill the disk. Thread-safe.
 */
final class FailureLog {
    private static final int MOST_IN_A_SECOND = 10;

    private final InstantSource clock;
    private final Consumer<String> log;
    private long second;
    private int inSecond;
    private long left;

    FailureLog(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    void failed(RequestTrace trace, VersionKey version, int status, Duration took) {
        if (mayWrite()) {
            log.accept("%s to %s ended with %d after %d ms%s"
                    .formatted(trace, version, status, took.toMillis(), leftOut()));
        }
    }

    private synchronized boolean mayWrite() {
        long now = clock.instant().getEpochSecond();
        if (now != second) {
            second = now;
            inSecond = 0;
        }
        inSecond++;
        if (inSecond > MOST_IN_A_SECOND) {
            left++;
        }
        return inSecond <= MOST_IN_A_SECOND;
    }

    private synchronized String leftOut() {
        long before = left;
        left = 0;
        return before == 0 ? "" : "; %d others before it are not in this log".formatted(before);
    }
}
