package io.knabla.controller.spot.live;

import io.knabla.controller.spot.policy.SpotPolicy;
import java.time.Duration;

/**
 * What a function asks of the placement of its replicas.
 *
 * @param policy that it chooses, which has learned nothing yet
 * @param max replicas that may run, a replacement left aside
 * @param onDemandBase replicas that it asks to be on demand
 * @param leastOnDemand those that are on demand whatever happens, its policy's own included
 * @param timeout of a request
 * @param hasSingleWriter whether no second replica may run beside the first
 */
public record FleetRules(
        SpotPolicy policy, int max, int onDemandBase, int leastOnDemand, Duration timeout, boolean hasSingleWriter) {}
