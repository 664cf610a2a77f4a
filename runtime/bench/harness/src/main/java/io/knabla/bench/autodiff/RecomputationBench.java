package io.knabla.bench.autodiff;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Row;
import io.knabla.bench.statistics.PairedSamples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Benchmarks activation recomputation: memory saved and time added, one process with it, one without. */
final class RecomputationBench {
    private static final String MEMORY = "recompute-memory";
    private static final String TIME = "recompute-time";
    private static final String WITHOUT = "peak-foretold";
    private static final String WITH = "peak-foretold-recompute";
    static final List<String> ROWS = List.of(MEMORY, TIME, WITHOUT, WITH);

    /** Makes glibc return freed memory at once; otherwise reused memory would hide growth. */
    private static final Map<String, String> EXACT = Map.of(
            "MALLOC_ARENA_MAX", "1",
            "MALLOC_MMAP_THRESHOLD_", "65536",
            "MALLOC_TRIM_THRESHOLD_", "65536");

    private static final long LOOK_NANOS = 50_000_000;

    private RecomputationBench() {}

    static List<Row> rows(int rounds) {
        var memory = new PairedSamples();
        var time = new PairedSamples();
        var predictedWithout = new PairedSamples();
        var predictedWith = new PairedSamples();
        for (int i = 0; i < rounds; i++) {
            Cooldown.DEFAULT.await();
            double[] without = measured("None");
            double[] with = measured("Recompute");
            memory.add(with[0], without[0]);
            time.add(with[1], without[1]);
            predictedWithout.add(without[2], without[0]);
            predictedWith.add(with[2], with[0]);
        }
        String other = "no recomputation";
        Map<String, Object> details = Map.of("model", "12-layer GPT, 4 x 256 tokens, SGD step");
        return List.of(
                Row.of(new Row.Title(MEMORY, "MB", "at most 0.35"), memory, other, details),
                Row.of(new Row.Title(TIME, "ms", "at most 1.25"), time, other, details),
                predicted(WITHOUT, predictedWithout),
                predicted(WITH, predictedWith));
    }

    private static Row predicted(String name, PairedSamples peaks) {
        return Row.of(new Row.Title(name, "MB", "0.85 to 1.15"), peaks, "measured", Map.of());
    }

    private static double[] measured(String strategy) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Xmx512m",
                // A fixed heap: its growth would distort the measurement.
                "-Xms512m",
                "-XX:+AlwaysPreTouch",
                "-cp",
                System.getProperty("java.class.path"),
                TrainingStepProbe.class.getName(),
                strategy);
        try (ChildProcess child = ChildProcess.start(new ChildProcess.Command(command, EXACT))) {
            while (child.isAlive()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            String[] words = child.output().strip().split(" ");
            if (words.length != 3) {
                throw new IllegalStateException(child.outputTail());
            }
            return Stream.of(words).mapToDouble(Double::parseDouble).toArray();
        }
    }
}
