package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Measures the share of the machine that other processes use during a measurement. */
public final class ForeignCpu {
    private final MachineCpuTime machine = MachineCpuTime.now();
    private final double own = ownMillis();

    private ForeignCpu() {}

    public static ForeignCpu watch() {
        return new ForeignCpu();
    }

    /**
     * Share of the whole machine, in [0, 1], that other processes used since {@link #watch()}.
     *
     * @param measuredMillis CPU time of the measured processes; this process' own CPU time is added here
     */
    public double share(double measuredMillis) {
        double ours = ownMillis() - own + measuredMillis;
        return MachineCpuTime.now().foreignShareSince(machine, ours);
    }

    private static double ownMillis() {
        try {
            return ProcessUsage.cpuMillis(ProcessHandle.current().pid());
        } catch (IOException error) {
            throw new UncheckedIOException("cannot read this process' own CPU time", error);
        }
    }
}
