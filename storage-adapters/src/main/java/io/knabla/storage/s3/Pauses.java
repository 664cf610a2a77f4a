package io.knabla.storage.s3;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.AbortedException;

/** Waits between tries that the SDK does not make itself: random, up to a bound that doubles. */
final class Pauses {
    private static final long FIRST_MS = 20;
    private static final long LONGEST_MS = 2_000;
    private static final int DOUBLINGS = 7;

    private Pauses() {}

    /**
     * @param tried how often it was tried, from 1
     * @throws AbortedException when interrupted, as the SDK's own waits
     */
    static void sleep(int tried) {
        long bound = Math.min(LONGEST_MS, FIRST_MS << Math.min(tried, DOUBLINGS));
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(bound));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw AbortedException.create("interrupted between two tries", stopped);
        }
    }
}
