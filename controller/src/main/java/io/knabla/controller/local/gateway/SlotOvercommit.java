package io.knabla.controller.local.gateway;

/**
 * Decides how many requests a replica is sent beyond its slots. While it answers fast, a request waits in the replica
 * for less time than it takes to hand the request over when a slot is free, and no slot is idle meanwhile. After one
 * slow response it is 0 for the next hundreds: a request must not wait behind a slow one while another replica is free.
 * Not thread-safe.
 */
final class SlotOvercommit {
    private static final int MOST = 16;
    private static final long FAST_NANOS = 5_000_000;

    /** Share of the slowest response that is remembered after each further one. */
    private static final double MEMORY = 0.99;

    private static final int FIRST_RESPONSES = 100;

    private int responses;
    private double slowestNanos;

    void answered(long nanos) {
        responses = Math.min(responses + 1, FIRST_RESPONSES);
        slowestNanos = Math.max(nanos, slowestNanos * MEMORY);
    }

    int requests() {
        return responses == FIRST_RESPONSES && slowestNanos < FAST_NANOS ? MOST : 0;
    }
}
