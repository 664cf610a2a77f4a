package io.knabla.bench.store;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.storage.s3.S3Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** {@code bench store}: uploads a unit to S3 and downloads it again, in a heap of 64 MB for any size. */
public final class StoreBench implements Bench {
    private static final long MB = 1_000_000;
    private static final long UNIT = 256 << 20;
    private static final long LARGE = 4L << 30;
    private static final int HEAP_MB = 64;
    private static final int WARM_UP = 5;
    private static final String PUT = "one PUT from a bare socket";
    private static final String RANGES = "ranges over four bare sockets";
    private static final long LOOK_NANOS = 50_000_000;

    private final int rounds;
    private final Progress progress;

    public StoreBench(int rounds, Progress progress) {
        this.rounds = rounds;
        this.progress = progress;
    }

    /**
     * One row of the report, and the columns that it compares.
     *
     * @param ours column of Knabla's seconds in the child's output; {@code other} is the reference's column
     */
    private record Transfer(String name, String goal, int ours, int other, String rival, PairedSamples rates) {
        Transfer(String name, String goal, int ours, int other, String rival) {
            this(name, goal, ours, other, rival, new PairedSamples());
        }
    }

    private static List<Transfer> ofOneUnit() {
        return List.of(
                new Transfer("upload", "at least 0.7", 0, 1, PUT),
                new Transfer("fetch", "at least 0.7, goal 0.8", 2, 3, RANGES),
                new Transfer("fetch-verified", "at least 0.7", 2, 4, RANGES + ", then SHA-256"));
    }

    private static List<Transfer> ofLargeFile() {
        String goal = "done in a heap of 64 MB";
        return List.of(
                new Transfer("upload-4gb-sparse", goal, 0, 1, PUT),
                new Transfer("fetch-4gb-sparse", goal, 2, 3, RANGES));
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(
                measurement(ofOneUnit(), "random", UNIT, WARM_UP), measurement(ofLargeFile(), "sparse", LARGE, 0));
    }

    private Measurement measurement(List<Transfer> all, String kind, long size, int warmUp) {
        return new Measurement(all.stream().map(Transfer::name).toList(), rows -> {
            int measured = warmUp == 0 ? 1 : rounds;
            try (BenchS3Server server = BenchS3Server.start(progress)) {
                progress.report("%,d MB %s, %d rounds".formatted(size / MB, kind, warmUp + measured));
                measure(server, kind, size, warmUp + measured).stream()
                        .skip(warmUp)
                        .forEach(line -> all.forEach(t ->
                                t.rates().add(rate(size, line[t.ours()]), rate(size, line[t.other()]))));
                Map<String, Object> details = Map.of("heap_limit_mb", HEAP_MB, "server", server.name());
                all.forEach(t ->
                        rows.add(Row.of(new Row.Title(t.name(), "MB/s", t.goal()), t.rates(), t.rival(), details)));
            }
        });
    }

    private static double rate(long size, double seconds) {
        return size / seconds / MB;
    }

    private static List<double[]> measure(BenchS3Server bench, String kind, long size, int rounds) {
        S3Server server = bench.server();
        Cooldown.DEFAULT.await();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(
                java,
                "-Xmx" + HEAP_MB + "m",
                "-cp",
                System.getProperty("java.class.path"),
                TransferProbe.class.getName(),
                server.newBucket(),
                kind,
                Long.toString(size),
                Integer.toString(rounds));
        try (ChildProcess child = ChildProcess.start(new ChildProcess.Command(command, server.environment()))) {
            while (child.isAlive()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            List<double[]> lines = child.output()
                    .lines()
                    .map(line -> Stream.of(line.split(" ")))
                    .map(words -> words.mapToDouble(Double::parseDouble).toArray())
                    .toList();
            if (lines.size() != rounds) {
                throw new IllegalStateException(child.outputTail());
            }
            return lines;
        }
    }
}
