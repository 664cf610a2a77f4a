package io.knabla.controller.simulate.warm;

import io.knabla.controller.simulate.warm.baseline.HybridPolicy;
import io.knabla.controller.simulate.warm.baseline.LsthPolicy;
import io.knabla.controller.simulate.warm.baseline.RainbowCakePolicy;
import io.knabla.controller.simulate.warm.baseline.SpesPolicy;
import io.knabla.controller.simulate.warm.baseline.TimerPolicy;
import io.knabla.controller.warm.policy.AdaptivePolicy;
import io.knabla.controller.warm.policy.FixedPolicy;
import io.knabla.controller.warm.policy.WarmPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** The policies that can be compared, each with its one knob: the value that is used, and those of its curve. */
public enum PolicyName {
    Never("", 0, knob -> FixedPolicy.never()),
    Always("", 0, knob -> FixedPolicy.always()),
    Fixed(
            "minutes",
            10,
            knob -> FixedPolicy.fixed(Math.round(60_000 * knob)),
            0.25,
            0.5,
            1,
            2,
            5,
            20,
            60,
            120,
            240,
            720),
    Hybrid("histogram minutes", HybridPolicy.MINUTES, knob -> new HybridPolicy((int) knob), 10, 30, 60, 120, 480, 1440),
    LSTH("histogram minutes", HybridPolicy.MINUTES, knob -> new LsthPolicy((int) knob), 10, 30, 60, 120, 480, 1440),
    GreedyDual("share of memory", 0.5, knob -> FixedPolicy.always(), 0.05, 0.1, 0.25, 0.75, 1),
    SPES("margin minutes", SpesPolicy.MARGIN_MINUTES, knob -> new SpesPolicy((int) knob), 0, 1, 4, 8, 16),
    Timer(
            "minutes otherwise",
            10,
            knob -> new TimerPolicy(Math.round(60_000 * knob)),
            0.25,
            0.5,
            1,
            2,
            5,
            20,
            60,
            120,
            240,
            720),
    RainbowCake("alpha", RainbowCakePolicy.ALPHA, RainbowCakePolicy::new, 0.9, 0.99, 0.9999, 0.99999, 0.999999),
    Adaptive(
            "USD per second",
            AdaptivePolicy.COLD_START_COST,
            AdaptivePolicy::worth,
            1e-6,
            2e-6,
            5e-6,
            1e-5,
            2e-5,
            5e-5,
            1e-4,
            2e-4,
            5e-4,
            2e-3,
            5e-3,
            0.01,
            0.02,
            0.05,
            0.1,
            1),
    /** The bound: knows the trace. */
    Omniscient("", 0, knob -> FixedPolicy.never());

    private final String knob;
    private final double usual;
    private final double[] others;
    private final DoubleFunction<WarmPolicy> maker;

    PolicyName(String knob, double usual, DoubleFunction<WarmPolicy> maker, double... others) {
        this.knob = knob;
        this.usual = usual;
        this.maker = maker;
        this.others = others;
    }

    /** What the knob is, with its unit; empty for a policy without one. */
    public String knob() {
        return knob;
    }

    public double usual() {
        return usual;
    }

    /** Values from the least to the largest. */
    public List<Double> curve() {
        return DoubleStream.concat(DoubleStream.of(usual), Arrays.stream(others))
                .sorted()
                .boxed()
                .toList();
    }

    WarmPolicy at(double value) {
        return maker.apply(value);
    }
}
