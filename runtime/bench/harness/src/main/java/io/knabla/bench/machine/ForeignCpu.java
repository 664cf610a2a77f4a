package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Tells, after a measurement, how much of the machine others had used meanwhile. */
public final class ForeignCpu {
    private final MachineLoad machine = MachineLoad.now();
    private final double own = ownMillis();

    private ForeignCpu() {}

    public static ForeignCpu watch() {
        return new ForeignCpu();
    }

    /**
     * The share of the whole machine, in [0, 1], that went to others.
     *
     * @param measuredMillis CPU time of what was measured; this process' own is known here
     */
    public double share(double measuredMillis) {
        double ours = ownMillis() - own + measuredMillis;
        return MachineLoad.now().foreignShareSince(machine, ours);
    }

    private static double ownMillis() {
        try {
            return ProcessUsage.cpuMillis(ProcessHandle.current().pid());
        } catch (IOException error) {
            throw new UncheckedIOException("cannot read this process' own CPU time", error);
        }
    }
}
