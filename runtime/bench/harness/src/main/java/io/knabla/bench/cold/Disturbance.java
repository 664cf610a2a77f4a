package io.knabla.bench.cold;

/** Whether a round counts, given what else the machine did meanwhile. */
record Disturbance(double mostForeign, int mostRepeats) {
    static final Disturbance DEFAULT = new Disturbance(0.15, 3);

    enum Verdict {
        QUIET,
        REPEAT,
        /** Disturbed, but a machine that never rests must be measured as it is. */
        TAKEN_ANYWAY
    }

    Verdict judge(double foreignShare, int repeatsSoFar) {
        if (foreignShare <= mostForeign) {
            return Verdict.QUIET;
        }
        return repeatsSoFar < mostRepeats ? Verdict.REPEAT : Verdict.TAKEN_ANYWAY;
    }
}
