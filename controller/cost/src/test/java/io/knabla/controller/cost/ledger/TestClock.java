package io.knabla.controller.cost.ledger;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. */
public final class TestClock implements InstantSource {
    private volatile Instant now;

    public TestClock(Instant now) {
        this.now = now;
    }

    public void set(Instant time) {
        now = time;
    }

    @Override
    public Instant instant() {
        return now;
    }
}
