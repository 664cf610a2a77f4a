package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.SavedState;

/**
 * Base of policies that look at a function as a whole: it is idle from the last end of a request, when no replica has
 * any, to the next request. What such a policy decides holds for each replica, but only the first is started ahead of
 * requests.
 */
abstract class FunctionLevelPolicy implements FunctionPolicy {
    private static final double UNKNOWN = -1;

    private final String name;
    private final double[] lastEnd = {UNKNOWN};
    private int running;

    FunctionLevelPolicy(String name) {
        this.name = name;
    }

    abstract Decision decide(long now);

    /** The function was idle for this long; the request that ended it comes now. */
    abstract void idle(long millis, long now);

    /** The numbers that are stored, in place. */
    abstract double[][] parts();

    @Override
    public void started(int replica, long now) {
        if (running++ == 0 && lastEnd[0] != UNKNOWN) {
            idle(now - (long) lastEnd[0], now);
        }
    }

    @Override
    public void ended(int replica, long now) {
        running = Math.max(0, running - 1);
        lastEnd[0] = now;
    }

    @Override
    public Decision decide(int replica, long now) {
        Decision decision = decide(now);
        return replica == 0 ? decision : decision.withoutStarts(now);
    }

    @Override
    public SavedState state() {
        return SavedState.of(name, allParts());
    }

    @Override
    public boolean restore(SavedState state) {
        return state.restore(name, allParts());
    }

    private double[][] allParts() {
        double[][] own = parts();
        double[][] all = new double[own.length + 1][];
        all[0] = lastEnd;
        System.arraycopy(own, 0, all, 1, own.length);
        return all;
    }
}
