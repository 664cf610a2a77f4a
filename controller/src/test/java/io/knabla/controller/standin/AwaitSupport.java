package io.knabla.controller.standin;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Awaitility with a timeout for slow test machines. */
public final class AwaitSupport {
    /** CI machines stall for many seconds at times, and some are ten times slower than others. */
    private static final Duration MOST = Duration.ofMinutes(2);

    private AwaitSupport() {}

    public static ConditionFactory await() {
        return Awaitility.await().atMost(MOST);
    }

    /** @param what alias for the failure message */
    public static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(MOST);
    }
}
