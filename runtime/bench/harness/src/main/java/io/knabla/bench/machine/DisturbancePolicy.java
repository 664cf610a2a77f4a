package io.knabla.bench.machine;

/** Decides whether a measurement counts, by the share of the machine that other processes used meanwhile. */
public record DisturbancePolicy(double mostForeign, int mostRepeats) {
    public static final DisturbancePolicy DEFAULT = new DisturbancePolicy(0.15, 9);

    /** Accepts every measurement, for work in processes that cannot be told from foreign ones. */
    public static final DisturbancePolicy UNKNOWN = new DisturbancePolicy(1, 0);

    /** Decision on a measurement. */
    public enum Verdict {
        QUIET,
        REPEAT,
        /** Disturbed, but counted: the repeats are used up. */
        TAKEN_ANYWAY
    }

    public Verdict judge(double foreignShare, int repeatsSoFar) {
        if (foreignShare <= mostForeign) {
            return Verdict.QUIET;
        }
        return repeatsSoFar < mostRepeats ? Verdict.REPEAT : Verdict.TAKEN_ANYWAY;
    }
}
