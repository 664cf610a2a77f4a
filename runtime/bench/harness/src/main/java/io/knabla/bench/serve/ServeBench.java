package io.knabla.bench.serve;

import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.run.Rows;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.NginxServer;
import io.knabla.bench.server.PackagedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** {@code bench serve}: requests per second and latencies; the servers take turns on the same cores. */
public final class ServeBench implements Bench {
    private static final int CONNECTIONS = 16;
    private static final int BATCHING_CONNECTIONS = 64;
    private static final Map<String, String> ALONE = Map.of("KNABLA_CONCURRENCY", "64");
    private static final Map<String, String> BATCHING =
            Map.of("KNABLA_CONCURRENCY", "64", "KNABLA_BATCH_MAX_SIZE", "32", "KNABLA_BATCH_MAX_DELAY_MS", "1");
    private static final Duration POLL = Duration.ofMillis(1);

    private final Distribution distribution;
    private final int rounds;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();

    public ServeBench(Distribution distribution, int rounds, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(
                new Measurement(Comparison.ALL.stream().map(Comparison::row).toList(), this::comparisons),
                new Measurement(WarmUp.ROWS, this::warmUp),
                Measurement.of("batching", this::batching));
    }

    private void comparisons(Rows rows) {
        Optional<Path> nginx = NginxServer.installed();
        List<Comparison> measured = new ArrayList<>();
        for (Comparison comparison : Comparison.ALL) {
            if (!rows.wants(comparison.row())) {
                continue;
            }
            if (comparison.usesNginx() && nginx.isEmpty()) {
                progress.report("row %s is skipped: %s".formatted(comparison.row(), NginxServer.MISSING));
                rows.add(comparison.skipped(NginxServer.MISSING));
            } else {
                measured.add(comparison);
            }
        }
        if (!measured.isEmpty()) {
            inFolder(folder -> rates(measured, folder, rows));
        }
    }

    private void warmUp(Rows rows) {
        inFolder(folder -> {
            BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
            new WarmUp(distribution, progress)
                    .run(platform(model), rounds, CONNECTIONS)
                    .forEach(rows::add);
        });
    }

    private static void inFolder(Consumer<Path> work) {
        Path folder = Folders.temporary();
        try {
            work.accept(folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private void rates(List<Comparison> comparisons, Path folder, Rows rows) {
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
        PackagedModel packed = PackagedModel.pack(model, folder);
        Set<TargetId> players = EnumSet.noneOf(TargetId.class);
        comparisons.forEach(row -> players.addAll(List.of(row.subject(), row.reference())));
        try (RunningServer replica = start(new ReplicaServer(distribution, packed, Map.of()));
                RunningServer baseline = start(new BaselineServer(distribution, model));
                Platform platform = players.stream().anyMatch(TargetId::usesGateway) ? platform(model) : null;
                RunningServer nginx = players.stream().anyMatch(TargetId::usesNginx)
                        ? start(NginxServer.before(platform.replica(), folder, model))
                        : null) {
            var field = new RunningServers(model, replica, baseline, platform, nginx, CONNECTIONS);
            List<LoadTarget> targets = players.stream().map(field::target).toList();
            InterleavedLoad load = InterleavedLoad.run(targets, InterleavedLoad.Plan.ofRounds(rounds), progress);
            comparisons.forEach(row -> rows.add(row.toRow(load)));
        }
    }

    /** One replica behind the gateway, as in the direct case: otherwise the rates are not comparable. */
    private Platform platform(BenchModel model) {
        progress.report("starting the platform");
        Platform platform = Platform.up(distribution, model, new Platform.Scaling(1, 1, 4, "60s"), 0);
        platform.awaitOne();
        return platform;
    }

    private Row batching() {
        Path folder = Folders.temporary();
        try {
            return batching(folder);
        } finally {
            Folders.delete(folder);
        }
    }

    private Row batching(Path folder) {
        BenchModel model = BenchModel.write(Mlp.deepAndThin(), folder.resolve("deep.onnx"));
        PackagedModel packed = PackagedModel.pack(model, folder);
        try (RunningServer joining = start(new ReplicaServer(distribution, packed, BATCHING));
                RunningServer single = start(new ReplicaServer(distribution, packed, ALONE))) {
            List<LoadTarget> both = List.of(
                    RunningServers.served(TargetId.BATCHING_ON, joining, BATCHING_CONNECTIONS),
                    RunningServers.served(TargetId.BATCHING_OFF, single, BATCHING_CONNECTIONS));
            InterleavedLoad load = InterleavedLoad.run(both, InterleavedLoad.Plan.ofRounds(rounds), progress);
            var comparison = new Comparison(
                    "batching", TargetId.BATCHING_ON, TargetId.BATCHING_OFF, "at least 2.0 under 64 connections");
            return comparison.toRow(load);
        }
    }

    private RunningServer start(Server server) {
        return RunningServer.start(server, random, POLL);
    }
}
