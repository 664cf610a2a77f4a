package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.Reason;
import java.util.Optional;

/**
 * What a policy wants of one function at one time, its load left aside.
 *
 * @param keep replicas that stay if they run
 * @param start replicas that run in any case; at most {@code keep}
 * @param reason empty until an idle replica was decided about
 * @param nextStart when the next replica that is started ahead of a request must be ready, in milliseconds
 */
public record WarmNeed(int keep, int start, Optional<Reason> reason, Optional<Long> nextStart) {
    public static WarmNeed none(Reason reason) {
        return new WarmNeed(0, 0, Optional.of(reason), Optional.empty());
    }

    public static WarmNeed always(int replicas) {
        return new WarmNeed(replicas, replicas, Optional.of(Reason.ALWAYS), Optional.empty());
    }

    /** The same for fewer replicas. */
    public WarmNeed atMost(int replicas, Reason why) {
        return keep <= replicas ? this : new WarmNeed(replicas, Math.min(start, replicas), Optional.of(why), nextStart);
    }
}
