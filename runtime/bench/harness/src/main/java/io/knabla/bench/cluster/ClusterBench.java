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
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * {@code bench cluster}: time from a request to a function without pods to its answer, through Knative's ingress and
 * activator. The reference is a plain Quarkus application as a Knative Service with the same resources.
 */
public final class ClusterBench {
    private static final Row.Title TITLE = new Row.Title("wake-1mb", "ms", "at most 0.70, from no pod to the answer");
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
        if (!wanted.test(TITLE.name())) {
            return List.of();
        }
        Path folder = Folders.temporary();
        String tag = Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
        String namespace = "knabla-bench-" + tag;
        try (TestBed bed = TestBed.of(System.getenv())) {
            var made = new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .endMetadata()
                    .build();
            bed.client().resource(made).create();
            try {
                BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
                return List.of(compare(bed, namespace, tag, model));
            } finally {
                bed.client().resource(made).delete();
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private Row compare(TestBed bed, String namespace, String tag, BenchModel model) {
        progress.report("deploying the function");
        var function = new KnablaFunction(distribution, bed, namespace);
        Call ours = call(bed, function.deploy(model), "/v2/models/bench/infer", model);
        first(ours);
        progress.report("pushing the reference's image and starting its service");
        String image = new BaselineImage(distribution, model).push(bed, tag);
        URI service = BaselineService.start(bed, namespace, image, function.resources());
        Call theirs = call(bed, service, "/v2/models/model/infer", model);
        progress.report("%s, %d rounds, each from no pod".formatted(TITLE.name(), rounds));
        InterleavedStarts.Rounds measured = new InterleavedStarts(
                        new KnativeStart(bed.client(), function.subject(ours)),
                        new KnativeStart(bed.client(), BaselineService.subject(namespace, theirs)),
                        Cooldown.DEFAULT,
                        random.split())
                .run(rounds, DisturbancePolicy.UNKNOWN);
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        return Row.of(TITLE, paired, "quarkus-ksvc", StartDetails.of(measured));
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
