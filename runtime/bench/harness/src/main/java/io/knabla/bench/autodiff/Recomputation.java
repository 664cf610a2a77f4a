package io.knabla.bench.autodiff;

import io.knabla.bench.machine.Child;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.machine.Rest;
import io.knabla.bench.report.Row;
import io.knabla.bench.statistics.Paired;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** What recomputing activations saves in memory and costs in time: a process with it, one without. */
final class Recomputation {
    private static final String MEMORY = "recompute-memory";
    private static final String TIME = "recompute-time";
    private static final long LOOK_NANOS = 50_000_000;

    private Recomputation() {}

    static List<Row> rows(int rounds, Predicate<String> wanted) {
        var rows = new ArrayList<Row>();
        if (!wanted.test(MEMORY) && !wanted.test(TIME)) {
            return rows;
        }
        var memory = new Paired();
        var time = new Paired();
        for (int i = 0; i < rounds; i++) {
            Rest.DEFAULT.await();
            double[] without = measured("None");
            double[] with = measured("Recompute");
            memory.add(with[0], without[0]);
            time.add(with[1], without[1]);
        }
        String other = "no recomputation";
        Map<String, Object> details = Map.of("model", "12-layer GPT, 4 x 256 tokens, SGD step");
        if (wanted.test(MEMORY)) {
            var title = new Row.Title(MEMORY, "MB", "at most 0.35");
            rows.add(Row.of(title, memory, other, details));
        }
        if (wanted.test(TIME)) {
            var title = new Row.Title(TIME, "ms", "at most 1.25");
            rows.add(Row.of(title, time, other, details));
        }
        return rows;
    }

    private static double[] measured(String strategy) {
        Path folder = Folders.temporary();
        try {
            String file = folder.resolve("step.onnx").toString();
            finished("make", strategy, file);
            String[] words = finished("run", file).strip().split(" ");
            return new double[] {Double.parseDouble(words[0]), Double.parseDouble(words[1])};
        } finally {
            Folders.delete(folder);
        }
    }

    /** What the process printed. */
    private static String finished(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Steps.class.getName()));
        command.addAll(List.of(arguments));
        try (Child child = Child.start(new Child.Command(command, Map.of()))) {
            while (child.isAlive()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            String output = child.output();
            if (arguments[0].equals("run") && output.isBlank()) {
                throw new IllegalStateException(child.lastWords());
            }
            return output;
        }
    }
}
