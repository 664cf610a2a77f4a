package io.knabla.controller.knative.leader;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.Optional;

/** Decides whether a controller claims the Lease or waits. Pure; never compares the clocks of two machines. */
sealed interface LeaseDecision {
    String why();

    /** Write the Lease as held by this controller: create it, take it over, or renew it. */
    record Claim(String why) implements LeaseDecision {}

    /**
     * Do nothing for a while.
     *
     * @param time unless the Lease changes before
     */
    record Wait(Duration time, String why) implements LeaseDecision {}

    /**
     * @param seen the Lease as last received; empty if there is none
     * @param unchanged how long ago the Lease last changed
     * @param renewed how long ago this controller claimed it
     */
    static LeaseDecision decide(
            String me, Optional<Lease> seen, Duration unchanged, Duration renewed, LeaseTimes times) {
        Optional<LeaseSpec> spec = seen.map(Lease::getSpec);
        Optional<String> holder = spec.map(LeaseSpec::getHolderIdentity).filter(name -> !name.isEmpty());
        if (holder.isEmpty()) {
            return new Claim("nobody holds it");
        }
        return holder.get().equals(me)
                ? after(times.renewInterval().minus(renewed), "it must be renewed")
                : after(
                        spec.map(LeaseSpec::getLeaseDurationSeconds)
                                .map(Duration::ofSeconds)
                                .orElse(times.leaseDuration())
                                .minus(unchanged),
                        holder.get() + " has not renewed it in time");
    }

    private static LeaseDecision after(Duration left, String why) {
        return left.isPositive() ? new Wait(left, "until " + why) : new Claim(why);
    }
}
