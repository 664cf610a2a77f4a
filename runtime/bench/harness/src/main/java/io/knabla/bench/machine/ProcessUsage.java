package io.knabla.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * CPU time and memory of one process so far, from {@code /proc}.
 *
 * @param cpuMillis user and kernel time of all threads, to a clock tick
 * @param peakRssMb peak resident memory
 * @param pssMb proportional set size: resident memory, shared pages divided among the processes that share them
 */
public record ProcessUsage(double cpuMillis, double peakRssMb, double pssMb) {
    private static final double MILLIS_PER_TICK = 10;
    private static final double KB_PER_MB = 1024;

    public static ProcessUsage of(long pid) {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            return new ProcessUsage(
                    cpuMillis(pid),
                    kilobytes(folder.resolve("status"), "VmHWM:") / KB_PER_MB,
                    kilobytes(folder.resolve("smaps_rollup"), "Pss:") / KB_PER_MB);
        } catch (IOException gone) {
            throw new IllegalStateException("process " + pid + " ended while measured", gone);
        }
    }

    /** CPU time alone, which is cheap to read. */
    public static double cpuMillis(long pid) throws IOException {
        return ticks(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))) * MILLIS_PER_TICK;
    }

    /** CPU time of a process and of its living descendants. */
    public static double treeCpuMillis(long root) {
        return ProcessHandle.of(root).stream()
                .flatMap(self -> Stream.concat(self.descendants(), Stream.of(self)))
                .mapToDouble(process -> livingCpuMillis(process.pid()))
                .sum();
    }

    private static double livingCpuMillis(long pid) {
        try {
            return cpuMillis(pid);
        } catch (IOException ended) {
            return 0;
        }
    }

    /** The command's name may contain spaces and brackets, so fields are counted after the last bracket. */
    static long ticks(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static long kilobytes(Path file, String field) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(field))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new IOException(file + " has no line " + field));
        }
    }
}
