package io.knabla.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * CPU time of the whole machine since boot, in clock ticks, from {@code /proc/stat}.
 *
 * @param busy all but idle and I/O wait; includes steal time of other guests
 */
public record MachineCpuTime(long busy, long total) {
    private static final double MILLIS_PER_TICK = 10;

    public static MachineCpuTime now() {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            return parse(lines.findFirst().orElseThrow());
        } catch (IOException error) {
            throw new UncheckedIOException("cannot read /proc/stat: bench needs Linux", error);
        }
    }

    static MachineCpuTime parse(String line) {
        // user nice system idle iowait irq softirq steal; guest time is in user already
        long[] ticks = Arrays.stream(line.trim().split("\\s+"))
                .skip(1)
                .limit(8)
                .mapToLong(Long::parseLong)
                .toArray();
        long total = Arrays.stream(ticks).sum();
        return new MachineCpuTime(total - ticks[3] - ticks[4], total);
    }

    /** Share of the machine, since {@code start}, that processes other than ours used. */
    public double foreignShareSince(MachineCpuTime start, double oursMillis) {
        long passed = total - start.total;
        if (passed <= 0) {
            return 0;
        }
        double foreign = busy - start.busy - oursMillis / MILLIS_PER_TICK;
        return Math.clamp(foreign / passed, 0, 1);
    }
}
