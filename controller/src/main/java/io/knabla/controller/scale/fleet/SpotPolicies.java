package io.knabla.controller.scale.fleet;

import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.SpotHedge;
import io.knabla.controller.spot.policy.SpotOnly;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import io.knabla.functions.spec.FunctionSpec.Placement;

/** Selects the spot policy of a function: its capacity alone, or for Mixed the policy that it names. */
final class SpotPolicies {
    /** The loss of one zone should leave a replica. */
    private static final int LEAST_ZONES = 2;

    private SpotPolicies() {}

    static SpotPolicy of(Placement placement) {
        return switch (placement.capacity()) {
            case OnDemand -> new OnDemandOnly();
            case Spot -> SpotOnly.roundRobin();
            case Mixed ->
                switch (placement.policy()) {
                    case OnDemandOnly -> new OnDemandOnly();
                    case SpotOnly -> SpotOnly.roundRobin();
                    case StaticMix -> StaticMix.of(1);
                    case SpotHedge -> SpotHedge.of(1);
                    case Adaptive -> Adaptive.spreadOver(LEAST_ZONES);
                };
        };
    }
}
