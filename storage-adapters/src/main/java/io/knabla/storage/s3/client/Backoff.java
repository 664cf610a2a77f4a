package io.knabla.storage.s3.client;

import java.time.Duration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Sleeps between attempts that the SDK does not retry itself, with exponential backoff like the SDK's. */
public final class Backoff {
    private static final BackoffStrategy BACKOFF =
            BackoffStrategy.exponentialDelay(Duration.ofMillis(40), Duration.ofSeconds(2));

    private Backoff() {}

    /**
     * @param tried number of attempts so far, from 1
     * @throws AbortedException if interrupted, as in the SDK's own delays
     */
    public static void sleep(int tried) {
        sleep(BACKOFF.computeDelay(tried));
    }

    static void sleep(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted before a request was sent", stopped);
        }
    }
}
