package io.knabla.bench.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.knabla.bench.cold.InterleavedStarts;
import io.knabla.bench.cold.StartDetails;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * {@code bench cluster}: time from a request to a function without pods to its answer, through Knative's ingress and
 * activator, or through the wake pool. The reference is a plain Quarkus application as a Knative Service with the same
 * resources.
 */
public final class ClusterBench {
    private static final Row.Title TITLE = new Row.Title("wake-1mb", "ms", "at most 0.70, from no pod to the answer");
    private static final Row.Title POOLED =
            new Row.Title("wake-pooled-1mb", "ms", "at most 0.15, answered by the wake pool of the namespace");
    private static final List<Row.Title> TITLES = List.of(TITLE, POOLED);

    /** Its name is in the controller's settings: a namespace opts in to a pool. */
    static final String POOL_NAMESPACE = "knabla-bench-pool";

    private static final Duration FIRST = Duration.ofMinutes(2);

    private final Distribution distribution;
    private final int rounds;
    private final Predicate<String> wanted;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();

    public ClusterBench(Distribution distribution, int rounds, Predicate<String> wanted, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.wanted = wanted;
        this.progress = progress;
    }

    public List<Row> run() {
        if (TITLES.stream().map(Row.Title::name).noneMatch(wanted)) {
            return List.of();
        }
        Path folder = Folders.temporary();
        String tag = Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
        try (TestBed bed = TestBed.of(System.getenv())) {
            BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
            List<Row> rows = new ArrayList<>();
            if (wanted.test(TITLE.name())) {
                rows.add(inNamespace(
                        bed, "knabla-bench-" + tag, namespace -> compare(bed, namespace, tag, model, false)));
            }
            if (wanted.test(POOLED.name())) {
                rows.add(inNamespace(bed, POOL_NAMESPACE, namespace -> compare(bed, namespace, tag, model, true)));
            }
            return rows;
        } finally {
            Folders.delete(folder);
        }
    }

    private static Row inNamespace(TestBed bed, String name, Function<String, Row> measure) {
        var made = new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
        bed.client().resource(made).create();
        try {
            return measure.apply(name);
        } finally {
            bed.client().resource(made).delete();
        }
    }

    private Row compare(TestBed bed, String namespace, String tag, BenchModel model, boolean pooled) {
        Row.Title title = pooled ? POOLED : TITLE;
        progress.report("deploying the function");
        var function = new KnablaFunction(distribution, bed, namespace);
        Call ours = call(bed, function.deploy(model), "/v2/models/bench/infer", model);
        first(ours);
        progress.report("pushing the reference's image and starting its service");
        String image = new BaselineImage(distribution, model).push(bed, tag);
        URI service = BaselineService.start(bed, namespace, image, function.resources());
        Call theirs = call(bed, service, "/v2/models/model/infer", model);
        progress.report("%s, %d rounds, each from no pod".formatted(title.name(), rounds));
        var subject = new KnativeStart(bed.client(), function.subject(ours));
        InterleavedStarts.Rounds measured = new InterleavedStarts(
                        pooled ? new PooledStart(bed.client(), subject) : subject,
                        new KnativeStart(bed.client(), BaselineService.subject(namespace, theirs)),
                        Cooldown.DEFAULT,
                        random.split())
                .run(rounds, DisturbancePolicy.UNKNOWN);
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        return Row.of(title, paired, "quarkus-ksvc", StartDetails.of(measured));
    }

    private static Call call(TestBed bed, URI url, String path, BenchModel model) {
        return Call.json(bed.ingressAddress(), url.getAuthority(), path, model);
    }

    /** Starts a first pod, whose resources the reference copies. */
    private static void first(Call call) {
        var patience = new FirstAnswer.PollPolicy(Duration.ofMillis(100), FIRST, () -> true);
        FirstAnswer.await(call, System.nanoTime(), patience);
    }
}
