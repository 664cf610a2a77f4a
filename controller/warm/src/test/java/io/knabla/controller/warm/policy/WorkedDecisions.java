package io.knabla.controller.warm.policy;

import java.util.Arrays;

/** Serves requests of one function at times that a test names, and asks its keep-warm policy what it decides then. */
public abstract class WorkedDecisions {
    protected static final StartCost START = StartCost.measured(0.5);
    protected static final FunctionProfile PROFILE = FunctionProfile.of("f", START);
    protected static final long MINUTE = 60_000;

    /** Milliseconds. */
    protected long now;

    /** The decision after idle times of these minutes, as minutes from now. */
    protected final Decision after(FunctionPolicy function, double... idleMinutes) {
        for (double minutes : idleMinutes) {
            serve(function);
            now += Math.round(minutes * MINUTE);
        }
        serve(function);
        return function.decide(0, now + function.minimumKeepMillis());
    }

    protected final void serve(FunctionPolicy function) {
        function.started(0, now);
        function.ended(0, now);
    }

    protected final Window minutes(double from, double until) {
        return new Window(now + Math.round(from * MINUTE), now + Math.round(until * MINUTE));
    }

    protected static double[] times(int count, double minutes) {
        double[] times = new double[count];
        Arrays.fill(times, minutes);
        return times;
    }
}
