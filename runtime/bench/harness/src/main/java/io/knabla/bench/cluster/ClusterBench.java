package io.knabla.bench.cluster;

import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.knabla.bench.cold.InterleavedStarts;
import io.knabla.bench.cold.StartDetails;
import io.knabla.bench.cold.StartScenario;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.statistics.PairedSamples;
import io.knabla.bench.wire.Call;
import io.knabla.bench.wire.FirstAnswer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * {@code bench cluster}: time from a request to a function without pods to its answer, through Knative's ingress and
 * activator, or through the wake pool. The references are Knative Services with the same resources: a plain Quarkus
 * application and, where this machine has Go, a static Go program that loads nothing.
 */
public final class ClusterBench implements Bench {
    private static final Row.Title TITLE = new Row.Title("wake-1mb", "ms", "at most 0.70, from no pod to the answer");
    private static final Row.Title POOLED =
            new Row.Title("wake-pooled-1mb", "ms", "at most 0.15, answered by the wake pool of the namespace");
    private static final Row.Title STATIC =
            new Row.Title("wake-1mb-static", "ms", "at most 1.0, beside a static Go program in the rounds of wake-1mb");
    private static final String QUARKUS = "quarkus-ksvc";
    private static final String GO = "go-ksvc";

    /** Its name is in the controller's settings: a namespace opts in to a pool. */
    static final String POOL_NAMESPACE = "knabla-bench-pool";

    private static final String SPEC = """
            resources: {cpu: 250m, memory: 512Mi},
            scaling: {min: 0, max: 1, concurrency: 4, idleAfter: 1s},
            keepWarm: {policy: Never}""";

    private static final Duration FIRST = Duration.ofMinutes(2);

    private final Distribution distribution;
    private final int rounds;
    private final Progress progress;
    private final SplittableRandom random = new SplittableRandom();
    private final String tag = Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);

    public ClusterBench(Distribution distribution, int rounds, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.progress = progress;
    }

    @Override
    public List<Measurement> measurements() {
        return List.of(
                new Measurement(
                        List.of(TITLE.name(), STATIC.name()),
                        rows -> inNamespace("knabla-bench-" + tag, this::own).forEach(rows::add)),
                Measurement.of(POOLED.name(), () -> inNamespace(POOL_NAMESPACE, this::pooled)));
    }

    /** A namespace of the cluster for one measurement, and the model of its functions. */
    private record BenchNamespace(TestBed bed, String name, BenchModel model) {}

    private static <T> T inNamespace(String name, Function<BenchNamespace, T> measure) {
        Path folder = Folders.temporary();
        try (TestBed bed = TestBed.of(System.getenv())) {
            BenchModel model = BenchModel.write(Mlp.ofOneMegabyte(), folder.resolve("1mb.onnx"));
            bed.createNamespace(name);
            try {
                return measure.apply(new BenchNamespace(bed, name, model));
            } finally {
                bed.deleteNamespace(name);
            }
        } finally {
            Folders.delete(folder);
        }
    }

    private List<Row> own(BenchNamespace namespace) {
        var function = function(namespace);
        List<StartScenario> scenarios = new ArrayList<>();
        scenarios.add(deployed(namespace, function));
        // Now, while its first pod is there.
        ResourceRequirements resources = function.resources();
        scenarios.add(quarkus(namespace, resources));
        Optional<String> image = StaticImage.push(namespace.bed(), tag);
        image.ifPresent(pushed -> scenarios.add(go(namespace, pushed, resources)));
        progress.report("%s, %d rounds, each from no pod".formatted(TITLE.name(), rounds));
        List<InterleavedStarts.Rounds> measured = new InterleavedStarts(scenarios, Cooldown.DEFAULT, random.split())
                .runAgainstEach(rounds, DisturbancePolicy.UNKNOWN);
        return List.of(
                row(TITLE, QUARKUS, measured.getFirst()),
                image.isPresent()
                        ? row(STATIC, GO, measured.getLast())
                        : Row.skipped(STATIC, GO, "there is no go on PATH, which builds the program"));
    }

    private Row pooled(BenchNamespace namespace) {
        var function = function(namespace);
        KnativeStart own = deployed(namespace, function);
        StartScenario quarkus = quarkus(namespace, function.resources());
        progress.report("%s, %d rounds, each from no pod".formatted(POOLED.name(), rounds));
        PooledStart pooled = new PooledStart(namespace.bed().client(), own);
        return row(
                POOLED,
                QUARKUS,
                new InterleavedStarts(pooled, quarkus, Cooldown.DEFAULT, random.split())
                        .run(rounds, DisturbancePolicy.UNKNOWN));
    }

    private KnablaFunction function(BenchNamespace namespace) {
        return new KnablaFunction(distribution, namespace.bed(), namespace.name(), "bench");
    }

    private static Row row(Row.Title title, String reference, InterleavedStarts.Rounds measured) {
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        return Row.of(title, paired, reference, StartDetails.of(measured));
    }

    /** Deploys the function and starts its first pod, whose resources the references copy. */
    private KnativeStart deployed(BenchNamespace namespace, KnablaFunction function) {
        progress.report("deploying the function");
        Call call = namespace.bed().json(function.deploy(namespace.model(), SPEC), function.path(), namespace.model());
        FirstAnswer.await(
                call, System.nanoTime(), new FirstAnswer.PollPolicy(Duration.ofMillis(100), FIRST, () -> true));
        return new KnativeStart(namespace.bed().client(), function.subject(call));
    }

    private StartScenario quarkus(BenchNamespace namespace, ResourceRequirements resources) {
        progress.report("pushing the image of the Quarkus application and starting its service");
        String image = new BaselineImage(distribution, namespace.model()).push(namespace.bed(), tag);
        var service = new ReferenceService(namespace.bed(), namespace.name(), QUARKUS);
        return service.wake(
                namespace.bed().json(service.start(image, resources), "/v2/models/model/infer", namespace.model()));
    }

    private StartScenario go(BenchNamespace namespace, String image, ResourceRequirements resources) {
        progress.report("starting the service of the static Go program");
        var service = new ReferenceService(namespace.bed(), namespace.name(), GO);
        String host = service.start(image, resources).getAuthority();
        byte[] request = "GET / HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host).getBytes(StandardCharsets.US_ASCII);
        return service.wake(new Call(namespace.bed().ingressAddress(), request, _ -> true));
    }
}
