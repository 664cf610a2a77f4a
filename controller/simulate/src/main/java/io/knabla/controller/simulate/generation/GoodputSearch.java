package io.knabla.controller.simulate.generation;

import java.util.OptionalDouble;

/** Finds the goodput of policies on one load. */
public record GoodputSearch(String trace, RequestLoad load, Deployment deployment) {
    /** Share of the requests that must keep both objectives. */
    public static final double ATTAINED = 0.9;

    private static final double LEAST = 1.0 / 1024;
    private static final double MOST = 1 << 16;
    private static final int HALVINGS = 10;

    /**
     * @param rate requests a second of each replica; empty to search for the highest that is good
     * @throws IllegalArgumentException if the replicas do not make whole groups of the policy
     */
    public GoodputRow row(ChunkPolicy policy, Objectives objectives, OptionalDouble rate) {
        double measured = rate.orElseGet(() -> goodput(policy, objectives));
        // A policy for which no rate is good is shown at the lowest.
        ServedTexts served = serve(policy, objectives, Math.max(LEAST, measured));
        return new GoodputRow(
                policy.toString(),
                trace,
                deployment.replicas(),
                objectives.ttft().toNanos() / 1e9,
                objectives.tpot().toNanos() / 1e9,
                measured,
                rate.isPresent() ? null : Double.valueOf(measured),
                served.smooth(),
                served.attained(),
                served.missedFirst(),
                served.missedNext(),
                served.refused(),
                served.preempted());
    }

    /** Requests a second of each replica; 0 if none is good. */
    public double goodput(ChunkPolicy policy, Objectives objectives) {
        double good = 0;
        double bad = LEAST;
        while (bad <= MOST && isGood(policy, objectives, bad)) {
            good = bad;
            bad *= 2;
        }
        for (int i = 0; i < HALVINGS && good > 0; i++) {
            double middle = (good + bad) / 2;
            if (isGood(policy, objectives, middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private boolean isGood(ChunkPolicy policy, Objectives objectives, double rate) {
        return serve(policy, objectives, rate).attained() >= ATTAINED;
    }

    private ServedTexts serve(ChunkPolicy policy, Objectives objectives, double rate) {
        return deployment.serve(load.at(rate * deployment.replicas()), policy, objectives);
    }
}
