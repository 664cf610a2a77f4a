package io.knabla.controller.standin;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what comes by and by. */
public final class Patience {
    /** Machines that test stall for many seconds at times, and are ten times slower than others. */
    private static final Duration MOST = Duration.ofMinutes(2);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(MOST);
    }

    /** @param what for the failure's message */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(MOST);
    }
}
