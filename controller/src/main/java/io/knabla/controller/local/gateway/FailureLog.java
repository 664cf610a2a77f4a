package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.VersionKey;
import io.knabla.runtime.http.LimitedLog;
import io.knabla.runtime.http.RequestTrace;
import java.time.Duration;

/** Logs requests that end with an error of the server, by their ids. Thread-safe. */
final class FailureLog {
    private final LimitedLog log;

    FailureLog(LimitedLog log) {
        this.log = log;
    }

    void failed(RequestTrace trace, VersionKey version, int status, Duration took) {
        log.write("%s to %s ended with %d after %d ms".formatted(trace, version, status, took.toMillis()));
    }
}
