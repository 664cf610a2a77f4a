package io.knabla.bench.machine;

/** Whether a measurement counts, given what else the machine did meanwhile. */
public record Disturbance(double mostForeign, int mostRepeats) {
    public static final Disturbance DEFAULT = new Disturbance(0.15, 9);

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
