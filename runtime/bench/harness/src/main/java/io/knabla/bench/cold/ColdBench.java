package io.knabla.bench.cold;

import io.knabla.bench.Progress;
import io.knabla.bench.machine.Disturbance;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.machine.Rest;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.PackedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.statistics.Paired;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** {@code bench cold}: time from exec, or from one request, to the first correct answer. */
public final class ColdBench {
    public static final int ROUNDS = 9;

    private static final int BURST = 10;

    private final Distribution distribution;
    private final int rounds;
    private final Predicate<String> wanted;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();

    public ColdBench(Distribution distribution, int rounds, Predicate<String> wanted, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.wanted = wanted;
        this.progress = progress;
    }

    public List<Row> run() {
        Path folder = Folders.temporary();
        try {
            List<Row> rows = new ArrayList<>();
            BenchModel small = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
            one("start-1mb", "at most 0.10, hope for 0.07", small, folder, rows);
            if (wanted.test("start-100mb")) {
                BenchModel big = BenchModel.write(Mlp.ofHundredMegabytes(), folder.resolve("100mb.onnx"));
                one("start-100mb", "at most 0.10, weights mapped", big, folder, rows);
            }
            burst(small, folder, rows);
            gateway(small, rows);
            return rows;
        } finally {
            Folders.delete(folder);
        }
    }

    private void one(String name, String goal, BenchModel model, Path folder, List<Row> rows) {
        if (wanted.test(name)) {
            var replica = new ServerStart(replica(model, folder), random.split());
            var baseline = new ServerStart(baseline(model), random.split());
            rows.add(duel(new Row.Title(name, "ms", goal), replica, baseline));
        }
    }

    private void burst(BenchModel model, Path folder, List<Row> rows) {
        if (wanted.test("burst-10")) {
            var title = new Row.Title("burst-10", "ms", "at most 0.10, until the last one answers");
            var replicas = new BurstStart(replica(model, folder), BURST, random.split());
            var baselines = new BurstStart(baseline(model), BURST, random.split());
            rows.add(duel(title, replicas, baselines));
        }
    }

    private void gateway(BenchModel model, List<Row> rows) {
        if (wanted.test("gateway-from-zero")) {
            var title = new Row.Title("gateway-from-zero", "ms", "at most 0.15");
            var scaling = new Platform.Scaling(0, 1, 4, "1s");
            progress.say("starting the platform");
            try (Platform platform = Platform.up(distribution, model, scaling)) {
                var baseline = new ServerStart(baseline(model), random.split());
                rows.add(duel(title, new PlatformStart(platform), baseline));
            }
        }
    }

    private Row duel(Row.Title title, Contender subject, Contender reference) {
        progress.say("%s, %d rounds".formatted(title.name(), rounds));
        Duel.Rounds measured =
                new Duel(subject, reference, Rest.DEFAULT, random.split()).fight(rounds, Disturbance.DEFAULT);
        var paired = new Paired();
        for (Duel.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        Row row = Row.of(title, paired, reference.name(), Details.of(measured));
        progress.say("%s: ratio %s".formatted(title.name(), row.ratio()));
        return row;
    }

    private ReplicaServer replica(BenchModel model, Path folder) {
        PackedModel packed = PackedModel.pack(model, folder);
        return new ReplicaServer(distribution, packed, Map.of());
    }

    private BaselineServer baseline(BenchModel model) {
        return new BaselineServer(distribution, model);
    }
}
