package io.knabla.controller.operator;

import java.time.Duration;

/**
 * When a Lease is renewed, given up and taken over. Others hear of it by a watch, so that only renewing costs calls.
 *
 * @param lease how long one that is not heard of is waited for: what passes at most between a crash and the next leader
 * @param quit how long after the last renewal a leader stops by itself. What is left of {@code lease} then is for its
 *     work to end in
 * @param renew between two renewals
 * @param retry between two tries of what failed; also the longest that the API server may take to answer
 */
record LeaseTimes(Duration lease, Duration quit, Duration renew, Duration retry) {
    /**
     * Seven and a half renewals a minute, one call each. About ten watches that are opened anew every 5 to 10 minutes
     * come to one and a half. That is 9 calls in an idle minute, of the 10 that 100 functions may cost, however many
     * there are. {@code quit} leaves 6 s for an API server that does not answer, and {@code lease} another 6 s for
     * looks at functions to end, see {@link FunctionOperator#LAST_LOOK}.
     */
    static final LeaseTimes DEFAULT = new LeaseTimes(
            Duration.ofSeconds(20), Duration.ofSeconds(14), Duration.ofSeconds(8), Duration.ofSeconds(2));
}
