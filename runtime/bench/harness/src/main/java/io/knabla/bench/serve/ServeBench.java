package io.knabla.bench.serve;

import io.knabla.bench.Progress;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.PackedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.Running;
import io.knabla.bench.server.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** {@code bench serve}: requests per second and latencies; the servers take turns on the same cores. */
public final class ServeBench {
    private static final int CONNECTIONS = 16;
    private static final int BATCHING_CONNECTIONS = 64;
    private static final Map<String, String> ALONE = Map.of("KNABLA_CONCURRENCY", "64");
    private static final Map<String, String> BATCHING =
            Map.of("KNABLA_CONCURRENCY", "64", "KNABLA_BATCH_MAX_SIZE", "32", "KNABLA_BATCH_MAX_DELAY_MS", "1");
    private static final Duration POLL = Duration.ofMillis(1);

    private final Distribution distribution;
    private final int rounds;
    private final Predicate<String> wanted;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();

    public ServeBench(Distribution distribution, int rounds, Predicate<String> wanted, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.wanted = wanted;
        this.progress = progress;
    }

    public List<Row> run() {
        Path folder = Folders.temporary();
        try {
            List<Row> rows = new ArrayList<>();
            List<Comparison> comparisons = Comparison.ALL.stream()
                    .filter(row -> wanted.test(row.row()))
                    .toList();
            if (!comparisons.isEmpty()) {
                rates(comparisons, folder, rows);
            }
            if (wanted.test("batching")) {
                batching(folder, rows);
            }
            return rows;
        } finally {
            Folders.delete(folder);
        }
    }

    private void rates(List<Comparison> comparisons, Path folder, List<Row> rows) {
        BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
        PackedModel packed = PackedModel.pack(model, folder);
        Set<Player> players = EnumSet.noneOf(Player.class);
        comparisons.forEach(row -> players.addAll(List.of(row.subject(), row.reference())));
        try (Running replica = start(new ReplicaServer(distribution, packed, Map.of()));
                Running baseline = start(new BaselineServer(distribution, model));
                Platform platform = players.stream().anyMatch(Player::usesGateway) ? platform(model) : null) {
            var field = new Field(model, replica, baseline, platform, CONNECTIONS);
            List<Contender> targets = players.stream().map(field::contender).toList();
            Tournament load = Tournament.play(targets, Tournament.Plan.ofRounds(rounds), progress);
            comparisons.forEach(row -> rows.add(row.in(load)));
        }
    }

    /** One replica behind the gateway, as in the direct case: otherwise the rates are not comparable. */
    private Platform platform(BenchModel model) {
        progress.say("starting the platform");
        Platform platform = Platform.up(distribution, model, new Platform.Scaling(1, 1, 4, "60s"));
        platform.awaitOne();
        return platform;
    }

    private void batching(Path folder, List<Row> rows) {
        BenchModel model = BenchModel.write(Mlp.deepAndThin(), folder.resolve("deep.onnx"));
        PackedModel packed = PackedModel.pack(model, folder);
        try (Running joining = start(new ReplicaServer(distribution, packed, BATCHING));
                Running single = start(new ReplicaServer(distribution, packed, ALONE))) {
            List<Contender> both = List.of(
                    Field.served(Player.BATCHING_ON, joining, BATCHING_CONNECTIONS),
                    Field.served(Player.BATCHING_OFF, single, BATCHING_CONNECTIONS));
            Tournament load = Tournament.play(both, Tournament.Plan.ofRounds(rounds), progress);
            var comparison = new Comparison(
                    "batching", Player.BATCHING_ON, Player.BATCHING_OFF, "at least 2.0 under 64 connections");
            rows.add(comparison.in(load));
        }
    }

    private Running start(Server server) {
        return Running.start(server, random, POLL);
    }
}
