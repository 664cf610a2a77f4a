package io.knabla.controller.simulate.warm.report;

import io.knabla.controller.simulate.warm.PolicyName;

/** How policies look in charts: colours that are told apart by colour-blind eyes as well (Paul Tol's muted scheme). */
final class PolicyStyle {
    private PolicyStyle() {}

    static String color(PolicyName policy) {
        return switch (policy) {
            case Adaptive -> "#1F5FBF";
            case Fixed -> "#CC6677";
            case Hybrid -> "#DDCC77";
            case LSTH -> "#117733";
            case GreedyDual -> "#88CCEE";
            case SPES -> "#882255";
            case Timer -> "#44AA99";
            case RainbowCake -> "#999933";
            case Never, Always, Omniscient -> "#777777";
        };
    }
}
