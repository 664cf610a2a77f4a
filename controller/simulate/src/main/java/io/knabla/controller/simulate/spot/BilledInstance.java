package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.usage.NodeEnd;
import java.time.Instant;

/** An instance that ended in a simulation: the time for which it is paid, and why it ended. */
record BilledInstance(String id, Offering offering, Instant start, Instant end, NodeEnd how) {}
