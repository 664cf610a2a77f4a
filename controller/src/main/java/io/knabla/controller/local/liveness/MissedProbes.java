package io.knabla.controller.local.liveness;

/**
 * Counts the health probes that a replica missed in a row, and decides what to do with it. Pure.
 *
 * @param stuck answers that a run of its engine is stuck
 * @param stalled misses while it neither used a CPU nor waited for one
 * @param busy misses while it used a CPU, or waited for one
 */
record MissedProbes(int stuck, int stalled, int busy) {
    static final MissedProbes NONE = new MissedProbes(0, 0, 0);

    /** What to do with a replica, and why. */
    sealed interface Verdict {
        record Healthy() implements Verdict {}

        /** Nothing changes. */
        record Undecided() implements Verdict {}

        /** Sends it no requests until it answers a probe. */
        record RouteAround(String reason) implements Verdict {}

        record Kill(String reason) implements Verdict {}
    }

    MissedProbes after(ProbeResult result) {
        return switch (result) {
            case ANSWERED -> NONE;
            case STUCK -> new MissedProbes(stuck + 1, stalled, busy);
            case STALLED -> new MissedProbes(stuck, stalled + 1, busy);
            case BUSY -> new MissedProbes(stuck, stalled, busy + 1);
            case UNDECIDED -> this;
        };
    }

    Verdict verdict(LivenessSettings settings) {
        if (equals(NONE)) {
            return new Verdict.Healthy();
        }
        if (stuck >= settings.stalledMisses()) {
            return new Verdict.Kill("it hangs: a run of its engine is stuck");
        }
        if (stalled >= settings.stalledMisses()) {
            return new Verdict.Kill(
                    "it hangs: %s and neither used a CPU nor waited for one".formatted(missed(stalled)));
        }
        int all = stuck + stalled + busy;
        if (all >= settings.busyMisses()) {
            return new Verdict.Kill("it hangs: " + missed(all));
        }
        return all > busy || busy >= settings.busyMissesRouted()
                ? new Verdict.RouteAround(missed(all))
                : new Verdict.Undecided();
    }

    private static String missed(int count) {
        return "it failed %d health probe%s in a row".formatted(count, count == 1 ? "" : "s");
    }
}
