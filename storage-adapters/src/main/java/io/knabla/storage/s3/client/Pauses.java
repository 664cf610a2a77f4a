package io.knabla.storage.s3.client;

import java.time.Duration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** Waits between tries that the SDK does not make itself, as long as it would. */
public final class Pauses {
    private static final BackoffStrategy BACKOFF =
            BackoffStrategy.exponentialDelay(Duration.ofMillis(40), Duration.ofSeconds(2));

    private Pauses() {}

    /**
     * @param tried how often it was tried, from 1
     * @throws AbortedException when interrupted, as the SDK's own waits
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
