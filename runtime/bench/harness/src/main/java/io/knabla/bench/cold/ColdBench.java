package io.knabla.bench.cold;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.PackagedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.statistics.PairedSamples;
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
            pooled(small, folder, rows);
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
            rows.add(compare(new Row.Title(name, "ms", goal), replica, baseline));
        }
    }

    private void burst(BenchModel model, Path folder, List<Row> rows) {
        if (wanted.test("burst-10")) {
            var title = new Row.Title("burst-10", "ms", "at most 0.10, until the last one answers");
            var replicas = new BurstStart(replica(model, folder), BURST, random.split());
            var baselines = new BurstStart(baseline(model), BURST, random.split());
            rows.add(compare(title, replicas, baselines));
        }
    }

    private void gateway(BenchModel model, List<Row> rows) {
        if (wanted.test("gateway-from-zero")) {
            var title = new Row.Title("gateway-from-zero", "ms", "at most 0.15");
            gateway(title, model, 1, rows);
        }
        if (wanted.test("gateway-from-zero-cold")) {
            gateway(new Row.Title("gateway-from-zero-cold", "ms", "at most 0.15, without a pool"), model, 0, rows);
        }
    }

    private void gateway(Row.Title title, BenchModel model, int pool, List<Row> rows) {
        var scaling = new Platform.Scaling(0, 1, 4, "1s");
        progress.report("starting the platform");
        try (Platform platform = Platform.up(distribution, model, scaling, pool)) {
            var baseline = new ServerStart(baseline(model), random.split());
            rows.add(compare(title, new PlatformStart(platform, pool), baseline));
        }
    }

    private void pooled(BenchModel model, Path folder, List<Row> rows) {
        if (wanted.test("pooled-1mb")) {
            pooled(new Row.Title("pooled-1mb", "ms", "at most 0.010"), model, 1, folder, rows);
        }
        if (wanted.test("pooled-100mb")) {
            BenchModel big = BenchModel.write(Mlp.ofHundredMegabytes(), folder.resolve("100mb.onnx"));
            pooled(new Row.Title("pooled-100mb", "ms", "at most 0.020, weights mapped"), big, 1, folder, rows);
        }
        if (wanted.test("burst-10-pooled")) {
            var title = new Row.Title("burst-10-pooled", "ms", "at most 0.02, until the last one answers");
            pooled(title, model, BURST, folder, rows);
        }
        if (wanted.test("pooled-idle")) {
            progress.report("memory of idle members of the pool");
            rows.add(PoolMemory.measure(replica(model, folder), BURST));
        }
    }

    private void pooled(Row.Title title, BenchModel model, int count, Path folder, List<Row> rows) {
        StartScenario reference = count == 1
                ? new ServerStart(baseline(model), random.split())
                : new BurstStart(baseline(model), count, random.split());
        rows.add(compare(title, new PooledStart(replica(model, folder), count, random.split()), reference));
    }

    private Row compare(Row.Title title, StartScenario subject, StartScenario reference) {
        progress.report("%s, %d rounds".formatted(title.name(), rounds));
        InterleavedStarts.Rounds measured = new InterleavedStarts(subject, reference, Cooldown.DEFAULT, random.split())
                .run(rounds, DisturbancePolicy.DEFAULT);
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        Row row = Row.of(title, paired, reference.name(), StartDetails.of(measured));
        progress.report("%s: ratio %s".formatted(title.name(), row.ratio()));
        return row;
    }

    private ReplicaServer replica(BenchModel model, Path folder) {
        PackagedModel packed = PackagedModel.pack(model, folder);
        return new ReplicaServer(distribution, packed, Map.of());
    }

    private BaselineServer baseline(BenchModel model) {
        return new BaselineServer(distribution, model);
    }
}
