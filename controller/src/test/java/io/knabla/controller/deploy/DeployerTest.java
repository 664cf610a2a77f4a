package io.knabla.controller.deploy;

import static io.knabla.controller.standin.AwaitSupport.await;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.deploy.DeployResult.Deployed;
import io.knabla.controller.gc.GcFixtures;
import io.knabla.controller.home.Home;
import io.knabla.controller.models.LocalModels;
import io.knabla.controller.models.ModelSource;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.functions.Onnx;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.memory.MemoryObjectStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
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
    private final ExecutorService people = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void letAllEnd() {
        engine.release(MANY);
        people.close();
    }

    private Deployer deployer() {
        Catalog catalog = new MapCatalog();
        var origins = new UnitProvenance(store);
        EngineRunner runner = _ -> {
            engine.acquireUninterruptibly();
            return new EngineResult.Passed(Optional.empty(), Optional.empty(), Optional.empty());
        };
        var program = new ReplicaProgram(runner, DefaultSettings.settings());
        return new Deployer(
                new ModelSource(store, true),
                null,
                new PackageStep(
                        store,
                        origins,
                        new LocalModels(store, new Home(folder), () -> "id"),
                        new OptimizeStep(store, program, origins)),
                new EngineCheck(program, new EngineVerdicts(store)),
                catalog,
                new RecordStep(catalog, FunctionResources.None.NONE, Clock.systemUTC()),
                GcFixtures.pins(store));
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
