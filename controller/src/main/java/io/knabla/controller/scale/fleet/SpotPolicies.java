package io.knabla.controller.scale.fleet;

import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.SpotHedge;
import io.knabla.controller.spot.policy.SpotOnly;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Placement;
import io.knabla.functions.spec.SpotTimeout;

/**
 * Selects the spot policy of a function: its capacity alone, or for Mixed the policy that it names. Mixed uses no spot
 * capacity if requests may take longer than the notice of an interruption.
 */
final class SpotPolicies {
    /** The loss of one zone should leave a replica. */
    private static final int LEAST_ZONES = 2;

    private SpotPolicies() {}

    static SpotPolicy of(FunctionSpec spec) {
        Placement placement = spec.placement();
        if (placement.capacity() == Capacity.Mixed && !SpotTimeout.fits(spec)) {
            return new OnDemandOnly();
        }
        return switch (placement.capacity()) {
            case OnDemand -> new OnDemandOnly();
            case Spot -> SpotOnly.roundRobin();
            case Mixed ->
                switch (placement.policy()) {
                    case OnDemandOnly -> new OnDemandOnly();
                    case SpotOnly -> SpotOnly.roundRobin();
                    case StaticMix -> StaticMix.of(placement.leastOnDemand());
                    case SpotHedge -> SpotHedge.of(1);
                    case Adaptive -> Adaptive.spreadOver(LEAST_ZONES);
                };
        };
    }
}
