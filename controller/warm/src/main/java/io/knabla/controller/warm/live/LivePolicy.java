package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.Window;
import java.util.Arrays;
import java.util.Optional;

/**
 * Applies a keep-warm policy to one function while it is called: tells the policy when replicas become busy and idle,
 * and derives from its decisions how many are needed now. Not thread-safe.
 */
public final class LivePolicy {
    private static final long UNUSED = -1;
    private static final long BUSY = -2;

    private final long[] idleSince = new long[BusyReplicas.MOST];
    private final Decision[] decisions = new Decision[BusyReplicas.MOST];

    /** Whether a replica was kept when its request began; it stays so until the next decision. */
    private final boolean[] held = new boolean[BusyReplicas.MOST];

    private FunctionPolicy policy;

    public LivePolicy(FunctionPolicy policy) {
        this.policy = policy;
        Arrays.fill(idleSince, UNUSED);
    }

    /** Goes on with another policy, which takes over what this one learned if it is of the same kind. */
    public void use(FunctionPolicy other) {
        other.restore(policy.state());
        policy = other;
        Arrays.fill(decisions, null);
    }

    public void changed(BusyReplicas.Change change) {
        int replica = change.replica();
        if (change.busy()) {
            held[replica] = isKept(replica, change.at(), 0);
            policy.started(replica, change.at());
            idleSince[replica] = BUSY;
        } else {
            policy.ended(replica, change.at());
            idleSince[replica] = change.at();
        }
        decisions[replica] = null;
    }

    /**
     * @param leadMillis how long before it must be ready a replica is started
     * @param idleMillis how long a replica stays without requests in any case
     */
    public WarmNeed need(long now, long leadMillis, long idleMillis) {
        if (!policy.hasLearned()) {
            return WarmNeed.none(Reason.TOO_FEW_OBSERVATIONS);
        }
        boolean staysUntilDecided = idleMillis >= policy.minimumKeepMillis() + leadMillis;
        int keep = 0;
        int start = 0;
        long next = Window.FOREVER;
        for (int replica = 0; replica < idleSince.length; replica++) {
            decide(replica, now);
            if (isKept(replica, now, leadMillis) || !staysUntilDecided && isUndecided(replica)) {
                keep = replica + 1;
                start = isStarted(replica, now, leadMillis) ? keep : start;
            }
            next = Math.min(next, nextStart(replica, now));
        }
        return new WarmNeed(
                keep,
                start,
                Optional.ofNullable(decisions[0]).map(Decision::reason),
                next == Window.FOREVER ? Optional.empty() : Optional.of(next));
    }

    private void decide(int replica, long now) {
        long at = Window.plus(idleSince[replica], policy.minimumKeepMillis());
        if (idleSince[replica] >= 0 && decisions[replica] == null && now >= at) {
            decisions[replica] = policy.decide(replica, at);
            held[replica] = false;
        }
    }

    private boolean isUndecided(int replica) {
        return idleSince[replica] != UNUSED && decisions[replica] == null;
    }

    private boolean isKept(int replica, long now, long leadMillis) {
        return held[replica] || window(replica, now, leadMillis).isPresent();
    }

    /** Whether the window is a later one than that which began with the decision. */
    private boolean isStarted(int replica, long now, long leadMillis) {
        return window(replica, now, leadMillis)
                .filter(window -> window.from() > idleSince[replica] + policy.minimumKeepMillis())
                .isPresent();
    }

    private Optional<Window> window(int replica, long now, long leadMillis) {
        return decisions[replica] == null
                ? Optional.empty()
                : decisions[replica].windows().stream()
                        .filter(window -> window.from() - leadMillis <= now && now < window.until())
                        .findFirst();
    }

    private long nextStart(int replica, long now) {
        return decisions[replica] == null
                ? Window.FOREVER
                : decisions[replica].windows().stream()
                        .mapToLong(Window::from)
                        .filter(from -> from > now)
                        .findFirst()
                        .orElse(Window.FOREVER);
    }

    public LivePolicyState state() {
        return new LivePolicyState(idleSince.clone(), policy.state());
    }

    /** Takes over what was stored; does nothing if that is of another policy or version. */
    public void restore(LivePolicyState state) {
        if (state.idleSince().length == idleSince.length && policy.restore(state.policy())) {
            for (int replica = 0; replica < idleSince.length; replica++) {
                // How a request ended that was in flight is not known.
                idleSince[replica] = Math.max(UNUSED, state.idleSince()[replica]);
            }
        }
    }
}
