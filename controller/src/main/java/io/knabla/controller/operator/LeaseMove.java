package io.knabla.controller.operator;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.Optional;

/** What a controller does next about the Lease: a pure answer. Clocks of two machines are never compared. */
sealed interface LeaseMove {
    String why();

    /** Write that it is this controller's: make it, take it over, or renew it. */
    record Claim(String why) implements LeaseMove {}

    /** @param time unless something is heard before */
    record Wait(Duration time, String why) implements LeaseMove {}

    /**
     * @param seen the Lease as it was heard of last; empty where there is none
     * @param unchanged for how long it has been as it was seen
     * @param renewed how long ago this controller claimed it
     */
    static LeaseMove next(String me, Optional<Lease> seen, Duration unchanged, Duration renewed, LeaseTimes times) {
        Optional<LeaseSpec> spec = seen.map(Lease::getSpec);
        Optional<String> holder = spec.map(LeaseSpec::getHolderIdentity).filter(name -> !name.isEmpty());
        if (holder.isEmpty()) {
            return new Claim("nobody holds it");
        }
        return holder.get().equals(me)
                ? after(times.renew().minus(renewed), "it is to be renewed")
                : after(
                        spec.map(LeaseSpec::getLeaseDurationSeconds)
                                .map(Duration::ofSeconds)
                                .orElse(times.lease())
                                .minus(unchanged),
                        holder.get() + " was not heard of in time");
    }

    private static LeaseMove after(Duration left, String why) {
        return left.isPositive() ? new Wait(left, "before " + why) : new Claim(why);
    }
}
