package io.knabla.controller.spot.simulate;

import io.knabla.controller.cost.usage.NodeEnd;
import io.knabla.controller.spot.policy.Offering;
import java.time.Instant;

/** Time for which one instance is paid, and how it ended. */
record Life(String id, Offering offering, Instant start, Instant end, NodeEnd how) {}
