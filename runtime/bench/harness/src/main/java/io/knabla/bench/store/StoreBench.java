package io.knabla.bench.store;

import io.knabla.bench.Progress;
import io.knabla.bench.machine.Child;
import io.knabla.bench.machine.Rest;
import io.knabla.bench.report.Row;
import io.knabla.bench.statistics.Paired;
import io.knabla.storage.s3.S3Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** {@code bench store}: a unit up to S3 and down again, with a heap of 64 MB whatever its size. */
public final class StoreBench {
    private static final long MB = 1_000_000;
    private static final long UNIT = 256 << 20;
    private static final long LARGE = 4L << 30;
    private static final int HEAP_MB = 64;
    private static final int WARM_UP = 2;
    private static final long LOOK_NANOS = 50_000_000;

    private final int rounds;
    private final Predicate<String> wanted;
    private final Progress progress;

    public StoreBench(int rounds, Predicate<String> wanted, Progress progress) {
        this.rounds = rounds;
        this.wanted = wanted;
        this.progress = progress;
    }

    /** One transfer and how its row is titled. */
    private record Measured(String name, String goal, Paired rates) {
        Measured(String name, String goal) {
            this(name, goal, new Paired());
        }
    }

    public List<Row> run() {
        var rows = new ArrayList<Row>();
        try (BenchServer server = BenchServer.start(progress)) {
            var unit =
                    List.of(
                            new Measured("upload", "at least 0.7"),
                            new Measured("fetch", "at least 0.7, goal 0.8"));
            rows.addAll(rows(server, unit, "random", UNIT, WARM_UP + rounds));
            var large =
                    List.of(
                            new Measured("upload-4gb-sparse", "done in a heap of 64 MB"),
                            new Measured("fetch-4gb-sparse", "done in a heap of 64 MB"));
            rows.addAll(rows(server, large, "sparse", LARGE, 1));
        }
        return rows;
    }

    private List<Row> rows(
            BenchServer server, List<Measured> both, String kind, long size, int rounds) {
        List<Measured> asked = both.stream().filter(m -> wanted.test(m.name())).toList();
        if (asked.isEmpty()) {
            return List.of();
        }
        progress.say("%,d MB %s, %d rounds".formatted(size / MB, kind, rounds));
        List<double[]> lines = contest(server, kind, size, rounds);
        for (double[] line : lines.subList(Math.min(WARM_UP, lines.size() - 1), lines.size())) {
            both.get(0).rates().add(rate(size, line[0]), rate(size, line[1]));
            both.get(1).rates().add(rate(size, line[2]), rate(size, line[3]));
        }
        return asked.stream()
                .map(
                        m ->
                                Row.of(
                                        new Row.Title(m.name(), "MB/s", m.goal()),
                                        m.rates(),
                                        m.name().startsWith("up")
                                                ? "one PUT from a bare socket"
                                                : "ranges over four bare sockets, no digest",
                                        Map.of("heap_limit_mb", HEAP_MB, "server", server.name())))
                .toList();
    }

    private static double rate(long size, double seconds) {
        return size / seconds / MB;
    }

    private static List<double[]> contest(BenchServer bench, String kind, long size, int rounds) {
        S3Server server = bench.server();
        Rest.DEFAULT.await();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(
                        java,
                        "-Xmx" + HEAP_MB + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Contest.class.getName(),
                        server.newBucket(),
                        kind,
                        Long.toString(size),
                        Integer.toString(rounds));
        try (Child child = Child.start(new Child.Command(command, server.environment()))) {
            while (child.isAlive()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            List<double[]> lines =
                    child.output()
                            .lines()
                            .map(line -> Stream.of(line.split(" ")))
                            .map(words -> words.mapToDouble(Double::parseDouble).toArray())
                            .toList();
            if (lines.size() != rounds) {
                throw new IllegalStateException(child.lastWords());
            }
            return lines;
        }
    }
}
