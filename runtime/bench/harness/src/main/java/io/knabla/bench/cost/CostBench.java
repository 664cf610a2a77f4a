package io.knabla.bench.cost;

import io.knabla.bench.machine.ChildProcess;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Rounding;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.OtherBuild;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.controller.cost.ledger.row.RecordKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** {@code bench cost}: reports of ten million usage rows in bounded memory, and durable appends to the ledger. */
public final class CostBench implements Bench {
    /** 30 days of some 80 nodes, which live for 13 hours, and 230 replicas, which live for 170 minutes. */
    private static final int HOURS = 720;

    private static final UsageFleet.Shape SHAPE = new UsageFleet.Shape(6, 84, 205);
    private static final int WARM_UP = 4;
    private static final int HEAP_MB = 128;
    private static final int BATCH = 1_000;
    private static final int BATCHES = 200;
    private static final long LOOK_NANOS = 50_000_000;

    private final Optional<Distribution> other;
    private final int rounds;
    private final Progress progress;

    /** @param other build whose reports are compared, instead of the bare query */
    public CostBench(Optional<Distribution> other, int rounds, Progress progress) {
        this.other = other;
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        if (other.isPresent()) {
            return List.of(Measurement.of("report", () -> inFolder(folder -> report(folder, other.get()))));
        }
        return List.of(
                Measurement.of("report", () -> inFolder(this::report)),
                Measurement.of("ingest", () -> inFolder(this::ingest)));
    }

    /** Measures in a folder, which is deleted afterwards. */
    private interface FolderWork {
        Row measure(Path folder) throws IOException;
    }

    private static Row inFolder(FolderWork work) throws IOException {
        Path folder = Folders.temporary();
        try {
            return work.measure(folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private Row report(Path folder) throws IOException {
        Map<RecordKind, Long> counts = GeneratedLedger.write(folder, SHAPE, HOURS, progress);
        progress.report("%d rounds over %s".formatted(WARM_UP + rounds, counts));
        PairedSamples seconds = new PairedSamples();
        measure(folder, WARM_UP + rounds, "paired").stream()
                .skip(WARM_UP)
                .forEach(line -> seconds.add(line[0], line[1]));
        // Apart from the bare query, which leaves memory behind.
        double peak = measure(folder, WARM_UP, "alone").getLast()[2];
        Map<String, Object> details = new LinkedHashMap<>();
        counts.forEach((kind, count) -> details.put(kind.folder(), count));
        details.put("peak_rss_mb", Rounding.significant(peak));
        details.put("heap_limit_mb", HEAP_MB);
        return Row.of(
                new Row.Title("report", "s", "at most 1.5, in at most 512 MB"),
                seconds,
                "bare DuckDB over the files of the hours",
                details);
    }

    /** The two builds take turns. */
    private Row report(Path folder, Distribution build) throws IOException {
        GeneratedLedger.write(folder, SHAPE, HOURS, progress);
        PairedSamples seconds = new PairedSamples();
        for (int round = 0; round < rounds; round++) {
            progress.report("round %d of %d".formatted(round + 1, rounds));
            double ours = measure(folder, WARM_UP, "alone").getLast()[0];
            double theirs = measure(folder, WARM_UP, "alone", build.harness().toString())
                    .getLast()[0];
            seconds.add(ours, theirs);
        }
        return Row.of(
                new Row.Title("report", "s", OtherBuild.AT_MOST), seconds, OtherBuild.named("the report"), Map.of());
    }

    private List<double[]> measure(Path folder, int count, String how) {
        return measure(folder, count, how, System.getProperty("java.class.path"));
    }

    private List<double[]> measure(Path folder, int count, String how, String classPath) {
        Cooldown.DEFAULT.await();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-Xmx" + HEAP_MB + "m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                ReportProbe.class.getName(),
                folder.toString(),
                Integer.toString(HOURS),
                Integer.toString(count),
                how);
        try (ChildProcess child = ChildProcess.start(new ChildProcess.Command(command, Map.of()))) {
            while (child.isAlive()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            List<double[]> lines = child.output()
                    .lines()
                    .map(line -> Stream.of(line.split(" "))
                            .mapToDouble(Double::parseDouble)
                            .toArray())
                    .toList();
            if (lines.size() != count) {
                throw new IllegalStateException(child.outputTail());
            }
            return lines;
        }
    }

    private Row ingest(Path folder) throws IOException {
        IngestProbe probe = new IngestProbe(folder, BATCH, BATCHES);
        PairedSamples rates = new PairedSamples();
        for (int round = -WARM_UP; round < rounds; round++) {
            double ours = probe.ledgerSeconds();
            double bare = probe.bareSeconds();
            if (round >= 0) {
                rates.add(BATCH * BATCHES / ours, BATCH * BATCHES / bare);
            }
        }
        return Row.of(
                new Row.Title("ingest", "rows/s", "at least 50,000 rows/s durable"),
                rates,
                "the same bytes written and fdatasynced",
                Map.of("rows_an_append", BATCH));
    }
}
