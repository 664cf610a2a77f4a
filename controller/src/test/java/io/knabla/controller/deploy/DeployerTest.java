package io.knabla.controller.deploy;

import static io.knabla.controller.standin.AwaitSupport.await;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.deploy.DeployResult.Unchanged;
import io.knabla.controller.gc.GcFixtures;
import io.knabla.controller.home.Home;
import io.knabla.controller.models.LocalModels;
import io.knabla.controller.models.ModelSource;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.controller.standin.FixedView;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys with real packaging and an engine that the test blocks. */
class DeployerTest {
    private static final int MANY = 100;

    @TempDir
    Path folder;

    private final Semaphore engine = new Semaphore(0);
    private final ObjectStore store = new MemoryObjectStore();
    private final Catalog catalog = new MapCatalog();
    private final UnitProvenance origins = new UnitProvenance(store);
    private Function<Digest, EngineResult> ranges = this::wideRanges;
    private EngineResult optimization = new EngineResult.NotRun("a quota forbids Jobs");
    private volatile Supplier<Instant> wall = Instant::now;
    private final ExecutorService people = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void letAllEnd() {
        engine.release(MANY);
        people.close();
    }

    private Deployer deployer() {
        EngineRunner runner = request -> {
            engine.acquireUninterruptibly();
            return switch (request.mode()) {
                case quantizeRanges -> ranges.apply(request.unit().orElseThrow());
                case optimize -> optimization;
                default ->
                    new EngineResult.Passed(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
            };
        };
        var program = new ReplicaProgram(runner, DefaultSettings.settings());
        return new Deployer(
                new ModelSource(store, true),
                null,
                new PackageStep(
                        store,
                        origins,
                        new LocalModels(store, new Home(folder), () -> "id"),
                        new RangesStep(program),
                        new OptimizeStep(store, program, origins)),
                new EngineCheck(program, new EngineVerdicts(store)),
                catalog,
                new RecordStep(
                        catalog,
                        FunctionResources.None.NONE,
                        new SizeCheck(origins, new FixedView(List.of()), DefaultSettings.settings()),
                        new MachineFit(DefaultSettings.settings()),
                        new PoolStep(
                                catalog,
                                origins,
                                new FixedView(List.of()),
                                new PlatformNodes(new FixedView(List.of()), NodePrices.UNKNOWN, Optional::empty),
                                DefaultSettings.settings()),
                        new PrefillCheck(catalog, store),
                        Clock.systemUTC()),
                GcFixtures.pins(store, () -> wall.get()));
    }

    private CompletableFuture<DeployResult> deploy(Deployer deployer, int size, int concurrency) {
        Path model = Onnx.save(Onnx.mlp(2, size, 2), folder.resolve(size + ".onnx"));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: of-%d}
                spec: {model: "%s", scaling: {concurrency: %d}}
                """.formatted(size, model.toUri(), concurrency);
        return supplyAsync(() -> deployer.deploy(((Valid) FunctionYaml.parse(yaml)).resource()), people);
    }

    @Test
    void aDeployDuringWhichTheClockIsSetStartsOver() {
        CompletableFuture<DeployResult> deployed = deploy(deployer(), 3, 1);
        await().until(engine::hasQueuedThreads);

        wall = () -> Instant.now().plus(Duration.ofDays(2));
        engine.release(MANY);

        assertThat(deployed.join()).isInstanceOf(DeployResult.Deployed.class);
    }

    @Test
    void aDeployDuringWhichTheClockIsSetAgainAndAgainIsToldToComeLater() {
        engine.release(MANY);
        var jumps = new AtomicInteger();
        wall = () -> Instant.now().plus(Duration.ofDays(2L * jumps.incrementAndGet()));

        DeployResult result = deploy(deployer(), 3, 1).join();

        assertThat(result)
                .isInstanceOfSatisfying(
                        DeployResult.Busy.class,
                        busy -> assertThat(busy.sentence()).contains("lost its lease"));
    }

    private EngineResult wideRanges(Digest calibration) {
        return new EngineResult.Ranges(new UnitStore(store)
                .read(calibration).graphs().outputs().stream()
                        .collect(Collectors.toMap(TensorSpec::name, _ -> new Range(-8, 8))));
    }

    private CompletableFuture<DeployResult> deployStatic(Deployer deployer, int size) throws IOException {
        Path model = Onnx.save(Onnx.mlp(2, size, 2), folder.resolve(size + ".onnx"));
        Files.writeString(
                folder.resolve("requests.json"),
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"data\": [0, 1]}]}");
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: static-%d}
                spec: {model: "%s", quantize: {type: Static, calibration: requests.json}}
                """.formatted(size, model.toUri());
        return supplyAsync(() -> deployer.deploy(((Valid) FunctionYaml.parse(yaml)).resource()), people);
    }

    @Test
    void theTypesOfUnitsAreTypesOfFunctions() {
        assertThat(GraphManifest.TYPES)
                .isSubsetOf(Stream.of(FunctionType.values()).map(Enum::name).toList());
    }

    @Test
    void quantisesWithTheRangesOfTheEngine() throws IOException {
        engine.release(2);
        DeployResult deployed = deployStatic(deployer(), 800).join();

        assertThat(deployed).isInstanceOf(Deployed.class);
        assertThat(((Deployed) deployed).warnings()).anyMatch(warning -> warning.startsWith("quantised 2 weights"));
    }

    @Test
    void warnsOfAFunctionThatItsMemoryCannotHold() {
        engine.release(MANY);

        assertThat(deployWith(deployer(), "resources: {memory: 64Mi}").join())
                .isInstanceOfSatisfying(
                        Deployed.class,
                        deployed -> assertThat(deployed.warnings())
                                .singleElement()
                                .asString()
                                .startsWith("spec.resources.memory is 64Mi, but a replica needs at least "));
    }

    @Test
    void refusesGpusOnAMachineWithoutOne() {
        assertThat(deployWith(deployer(), "resources: {gpu: 8}").join())
                .isInstanceOfSatisfying(
                        DeployResult.Refused.class,
                        refused -> assertThat(refused.faults().toString())
                                .contains("spec.resources.gpu", "found 8", "this machine offers no GPU"));
    }

    private CompletableFuture<DeployResult> deployWith(Deployer deployer, String more) {
        Path model = Onnx.save(Onnx.mlp(2000, 4000, 2), folder.resolve("large.onnx"));
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: sized}
                spec: {model: "%s", %s}
                """.formatted(model.toUri(), more);
        return supplyAsync(() -> deployer.deploy(((Valid) FunctionYaml.parse(yaml)).resource()), people);
    }

    @Test
    void doesNotBlockPackagingWhileMeasuringRanges() throws IOException {
        Deployer deployer = deployer();
        List<CompletableFuture<DeployResult>> waiting =
                List.of(deployStatic(deployer, 800), deployStatic(deployer, 801));
        await().until(() -> engine.getQueueLength() == 2);
        CompletableFuture<DeployResult> other = deploy(deployer, 3, 1);

        // Its provenance is written when packaging ends.
        await().until(() -> store.list("origins/").findAny().isPresent());
        assertThat(other).isNotDone();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        engine.release(MANY);
        assertThat(waiting).extracting(CompletableFuture::join).hasOnlyElementsOfType(Deployed.class);
    }

    @Test
    void refusesStaticQuantisationOfAModelThatKillsTheEngine() throws IOException {
        ranges = _ -> new EngineResult.Crashed("signal 11, SIGSEGV");
        engine.release();

        assertThat(deployStatic(deployer(), 800).join())
                .isInstanceOfSatisfying(
                        DeployResult.Refused.class,
                        refused -> assertThat(refused.faults().toString())
                                .contains("spec.model", "the engine crashed on this model (signal 11, SIGSEGV)"));
        assertThat(store.list("origins/")).isEmpty();
    }

    @Test
    void triesStaticQuantisationAgainWithoutAPlaceToRun() throws IOException {
        ranges = _ -> new EngineResult.NotRun("a quota forbids Jobs");
        engine.release();

        assertThat(deployStatic(deployer(), 800).join())
                .isInstanceOfSatisfying(
                        DeployResult.Busy.class,
                        busy -> assertThat(busy.sentence()).contains("a quota forbids Jobs"));
    }

    /** Such units are of earlier versions of the packager: today's graphs need no optimisation ahead of time. */
    @Test
    void aDeployTriesAgainToOptimiseTheGraphsOfBefore() throws IOException {
        engine.release(MANY);
        Path file = Onnx.save(Onnx.mlp(2, 3, 2), folder.resolve("model.onnx"));
        Digest model = Sha256.of(Files.readAllBytes(file));
        store.write(new ObjectKey("models/" + model.hex()), Content.of(file));
        FunctionResource resource = ((Valid) FunctionYaml.parse("""
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: optimised}
                spec: {model: "%s"}
                """.formatted(model))).resource();
        Deployer deployer = deployer();
        Digest optimised = ((Deployed) deployer.deploy(resource)).version().unit();
        Digest unoptimised = replaceByUnoptimised(optimised);

        assertThat(deployer.deploy(resource))
                .isInstanceOfSatisfying(
                        Unchanged.class,
                        unchanged -> assertThat(unchanged.warnings())
                                .singleElement()
                                .asString()
                                .contains("a quota forbids Jobs", "Deploy it again"));

        optimization = new EngineResult.Passed(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(optimised.value()));
        assertThat(deployer.deploy(resource))
                .isInstanceOfSatisfying(
                        Deployed.class,
                        deployed -> assertThat(deployed.record().versions())
                                .extracting(Version::unit)
                                .containsExactly(unoptimised, optimised));
    }

    /** Makes the newest version one of the same unit whose graph must still be optimised. */
    private Digest replaceByUnoptimised(Digest unit) {
        GraphManifest made = new UnitStore(store).read(unit).graphs();
        Digest unoptimised = new UnitStore(store).write(made.with(Optimization.NO_CSE, List.of(), Optional.empty()));
        origins.write(unoptimised, origins.of(unit).orElseThrow());
        catalog.update(new FunctionId("default", "optimised"), current -> {
            Version first = current.orElseThrow().latest();
            var before = new Version(first.number(), first.spec(), unoptimised, first.model(), first.created());
            return current.get().with(List.of(before), List.of());
        });
        return unoptimised;
    }

    @Test
    void doesNotBlockPackagingWhileWaitingForTheEngine() {
        Deployer deployer = deployer();
        engine.release();
        assertThat(deploy(deployer, 3, 1).join()).isInstanceOf(Deployed.class);

        List<CompletableFuture<DeployResult>> waiting =
                List.of(deploy(deployer, 4, 1), deploy(deployer, 5, 1), deploy(deployer, 6, 1));
        await().until(() -> engine.getQueueLength() == 2);
        CompletableFuture<DeployResult> tried = deploy(deployer, 3, 2);
        await().until(tried::isDone);

        assertThat(tried.join()).isInstanceOf(Deployed.class);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        engine.release(3);
        assertThat(waiting).extracting(CompletableFuture::join).hasOnlyElementsOfType(Deployed.class);
    }
}
