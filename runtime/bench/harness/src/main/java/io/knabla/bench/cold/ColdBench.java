package io.knabla.bench.cold;

import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.BaselineServer;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.OtherBuild;
import io.knabla.bench.server.PackagedModel;
import io.knabla.bench.server.Platform;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.Server;
import io.knabla.bench.statistics.PairedSamples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** {@code bench cold}: time from exec, or from one request, to the first correct answer. */
public final class ColdBench implements Bench {
    public static final int ROUNDS = 9;

    private static final int BURST = 10;

    private final Distribution distribution;
    private final Optional<Distribution> other;
    private final int rounds;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();
    private Path folder;

    /** @param other build to compare with, instead of alternatives */
    public ColdBench(Distribution distribution, Optional<Distribution> other, int rounds, Progress progress) {
        this.distribution = distribution;
        this.other = other;
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(
                Measurement.of("start-1mb", () -> one("start-1mb", "at most 0.10, hope for 0.07", small())),
                Measurement.of("start-100mb", () -> one("start-100mb", "at most 0.10, weights mapped", big())),
                Measurement.of("burst-10", this::burst),
                Measurement.of("pooled-1mb", () -> pooled("pooled-1mb", "at most 0.010", small(), 1)),
                Measurement.of("pooled-100mb", () -> pooled("pooled-100mb", "at most 0.020, weights mapped", big(), 1)),
                Measurement.of(
                        "burst-10-pooled",
                        () -> pooled("burst-10-pooled", "at most 0.02, until the last one answers", small(), BURST)),
                Measurement.of("pooled-idle", this::poolMemory),
                Measurement.of("gateway-from-zero", () -> gateway("gateway-from-zero", "at most 0.15", 1)),
                Measurement.of(
                        "gateway-from-zero-cold",
                        () -> gateway("gateway-from-zero-cold", "at most 0.15, without a pool", 0)));
    }

    private BenchModel small() {
        return BenchModel.write(Mlp.ofOneMegabyte(), folder().resolve("1mb.onnx"));
    }

    private BenchModel big() {
        return BenchModel.write(Mlp.ofHundredMegabytes(), folder().resolve("100mb.onnx"));
    }

    private Path folder() {
        folder = folder == null ? Folders.temporary() : folder;
        return folder;
    }

    private Row one(String name, String goal, BenchModel model) {
        var replica = new ServerStart(replica(model), random.split());
        var baseline = new ServerStart(reference(model), random.split());
        return compare(new Row.Title(name, "ms", goal), replica, baseline);
    }

    private Row burst() {
        var title = new Row.Title("burst-10", "ms", "at most 0.10, until the last one answers");
        BenchModel model = small();
        var replicas = new BurstStart(replica(model), BURST, random.split());
        var baselines = new BurstStart(reference(model), BURST, random.split());
        return compare(title, replicas, baselines);
    }

    private Row pooled(String name, String goal, BenchModel model, int count) {
        var members = new PooledStart(replica(model), count, random.split());
        return compare(new Row.Title(name, "ms", goal), members, withoutPool(model, count));
    }

    private StartScenario withoutPool(BenchModel model, int count) {
        if (other.isPresent()) {
            return new PooledStart(replica(other.get(), model), count, random.split());
        }
        return count == 1
                ? new ServerStart(baseline(model), random.split())
                : new BurstStart(baseline(model), count, random.split());
    }

    private Row poolMemory() {
        progress.report("memory of idle members of the pool");
        return PoolMemory.measure(replica(small()), BURST);
    }

    private Row gateway(String name, String goal, int pool) {
        var scaling = new Platform.Scaling(0, 1, 4, "1s");
        progress.report("starting the platform");
        BenchModel model = small();
        try (Platform platform = Platform.up(distribution, model, scaling, pool)) {
            var title = new Row.Title(name, "ms", goal);
            var start = new PlatformStart(platform, pool);
            if (other.isEmpty()) {
                return compare(title, start, new ServerStart(baseline(model), random.split()));
            }
            try (Platform reference = Platform.up(other.get(), model, scaling, pool)) {
                return compare(title, start, new PlatformStart(reference, pool));
            }
        }
    }

    private Row compare(Row.Title asked, StartScenario subject, StartScenario reference) {
        Row.Title title = other.map(_ -> asked.withGoal(OtherBuild.AT_MOST)).orElse(asked);
        progress.report("%s, %d rounds".formatted(title.name(), rounds));
        InterleavedStarts.Rounds measured = new InterleavedStarts(subject, reference, Cooldown.DEFAULT, random.split())
                .run(rounds, DisturbancePolicy.DEFAULT);
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        String name = other.map(_ -> OtherBuild.named(reference.name())).orElse(reference.name());
        Row row = Row.of(title, paired, name, StartDetails.of(measured));
        progress.report("%s: ratio %s".formatted(title.name(), row.ratio()));
        return row;
    }

    private ReplicaServer replica(BenchModel model) {
        return replica(distribution, model);
    }

    private ReplicaServer replica(Distribution build, BenchModel model) {
        PackagedModel packed = PackagedModel.pack(model, folder());
        return new ReplicaServer(build, packed, Map.of());
    }

    private Server reference(BenchModel model) {
        return other.isPresent() ? replica(other.get(), model) : baseline(model);
    }

    private BaselineServer baseline(BenchModel model) {
        return new BaselineServer(distribution, model);
    }

    @Override
    public void close() {
        if (folder != null) {
            Folders.delete(folder);
        }
    }
}
