package io.knabla.controller.simulate.warm;

/**
 * Counts memory-seconds between two times. Memory is wasted while a replica holds it without a request, also while it
 * starts ahead of one; a start that a request waits for is not waste.
 */
record MemoryMeter(long from, long to) {
    /** Counts the time since an idle replica had its last request, or since its pre-warming began. */
    void idle(Replica replica, long now, boolean used) {
        double gbSeconds = seconds(replica.idleSince, now) * SharedLayers.gb(replica.layer, replica.function.start);
        Tally tally = replica.function.tally;
        if (replica.layer != null) {
            tally.layerGbSeconds += gbSeconds;
        } else if (!replica.preWarmed) {
            tally.keptGbSeconds += gbSeconds;
        } else if (used) {
            tally.preWarmedUsedGbSeconds += gbSeconds;
        } else {
            tally.preWarmedUnusedGbSeconds += gbSeconds;
        }
    }

    void busy(SimulatedFunction function, long start, long end) {
        function.tally.busyGbSeconds += seconds(start, end) * function.start.gb();
    }

    private double seconds(long start, long end) {
        return Math.max(0, Math.min(end, to) - Math.max(start, from)) / 1e3;
    }
}
