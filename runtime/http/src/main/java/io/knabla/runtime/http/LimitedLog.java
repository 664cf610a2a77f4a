package io.knabla.runtime.http;

import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Writes at most ten lines in a second, and says how many it has left out: a caller who causes failures must not fill
 * the disk. Thread-safe.
 */
public final class LimitedLog {
    private static final int MOST_IN_A_SECOND = 10;

    private final InstantSource clock;
    private final Consumer<String> log;
    private long second;
    private int inSecond;
    private long left;

    public LimitedLog(InstantSource clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    public void write(String line) {
        if (mayWrite()) {
            log.accept(line + leftOut());
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
