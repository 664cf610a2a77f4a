package io.knabla.bench.machine;

/** Whether a measurement counts, given what else the machine did meanwhile. */
public record Disturbance(double mostForeign, int mostRepeats) {
    public static final Disturbance DEFAULT = new Disturbance(0.15, 9);

    /** For what runs in processes of others, so that they cannot be told from a disturbance. */
    public static final Disturbance UNKNOWN = new Disturbance(1, 0);

    public enum Verdict {
        QUIET,
        REPEAT,
        /** Disturbed, but a machine that never rests must be measured as it is. */
        TAKEN_ANYWAY
    }

    public Verdict judge(double foreignShare, int repeatsSoFar) {
        if (foreignShare <= mostForeign) {
            return Verdict.QUIET;
        }
        return repeatsSoFar < mostRepeats ? Verdict.REPEAT : Verdict.TAKEN_ANYWAY;
    }
}
