package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The whole machine's CPU time so far, in clock ticks.
 *
 * @param busy everything but idle and waiting for disks; counts what other guests of the host took
 */
public record MachineLoad(long busy, long total) {
    private static final double MILLIS_PER_TICK = 10;

    public static MachineLoad now() {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            return parse(lines.findFirst().orElseThrow());
        } catch (IOException error) {
            throw new UncheckedIOException("cannot read /proc/stat: bench needs Linux", error);
        }
    }

    static MachineLoad parse(String line) {
        // user nice system idle iowait irq softirq steal; guest time is in user already
        long[] ticks = Arrays.stream(line.trim().split("\\s+"))
                .skip(1)
                .limit(8)
                .mapToLong(Long::parseLong)
                .toArray();
        long total = Arrays.stream(ticks).sum();
        return new MachineLoad(total - ticks[3] - ticks[4], total);
    }

    /** The share of the machine, since then, that was used by others than ours. */
    public double foreignShareSince(MachineLoad start, double oursMillis) {
        long passed = total - start.total;
        if (passed <= 0) {
            return 0;
        }
        double foreign = busy - start.busy - oursMillis / MILLIS_PER_TICK;
        return Math.clamp(foreign / passed, 0, 1);
    }
}
