package io.knabla.controller.knative.wake;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.CatalogException;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.knative.reconcile.ServerSideApplyMock;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.storage.StorageException;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pools in the namespaces {@code ads} and {@code shop}, on Fabric8's mock server. */
class WakePoolsTest {
    private static final FunctionId DIGITS = new FunctionId("shop", "digits");

    private final ServerSideApplyMock server = new ServerSideApplyMock();
    private final KubernetesClient client = server.client();
    private final AtomicInteger rounds = new AtomicInteger();
    private final MapCatalog catalog = new MapCatalog() {
        /** Asked in each round of a controller that leads. */
        @Override
        public boolean isLoaded() {
            rounds.incrementAndGet();
            return super.isLoaded();
        }
    };
    private final WakePools pools = new WakePools(
            client,
            catalog,
            new MemoryObjectStore(),
            new PoolNamespaces(List.of("*")),
            List.of(),
            PoolApplierTest.OBJECTS,
            () -> true);

    @BeforeEach
    void open() {
        new PoolApplier(client, PoolApplierTest.OBJECTS).apply(Set.of("ads", "shop"), Set.of());
    }

    @AfterEach
    void close() {
        pools.close();
        client.close();
        server.close();
    }

    @Test
    void deletesNoPoolBeforeTheCatalogIsLoaded() {
        catalog.loaded(false);
        pools.start();
        await().until(() -> rounds.get() > 1);
        assertThat(namespacesWithPools()).containsExactlyInAnyOrder("ads", "shop");

        catalog.put(new FunctionRecord(DIGITS, List.of(Specs.inference().version(1, Instant.EPOCH)), List.of(), ""));
        catalog.loaded(true);
        await().until(() -> namespacesWithPools().equals(List.of("shop")));
    }

    @Test
    void keepsThePoolOfAFunctionWhoseDocumentCannotBeRead() {
        var unreadable = new StorageException(StorageException.Kind.BAD_OBJECT, "it is a folder.", "");
        catalog.damage(CatalogException.unreadable(DIGITS, unreadable));
        pools.start();
        await().until(() -> !namespacesWithPools().contains("ads"));
        int before = rounds.get();
        await().until(() -> rounds.get() > before + 1);
        assertThat(namespacesWithPools()).containsExactly("shop");
    }

    private List<String> namespacesWithPools() {
        return client.resources(Configuration.class).inAnyNamespace().list().getItems().stream()
                .map(it -> it.getMetadata().getNamespace())
                .toList();
    }
}
