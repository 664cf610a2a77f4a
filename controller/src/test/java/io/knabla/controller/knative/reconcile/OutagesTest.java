package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.knative.reconcile.OperatorFixture.DIGITS;
import static io.knabla.controller.knative.reconcile.OperatorFixture.NAMESPACE;
import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Temporary and permanent failures of the API server and the store. */
class OutagesTest {
    private OperatorFixture world;

    @BeforeEach
    void open() {
        world = new OperatorFixture();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {409, 429, 500, 503})
    void retriesAfterATemporaryApiServerFailure(int code) {
        world.server.fail("/configurations", code, 2);
        world.server.fail("/status", code, 2);
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> configurations().size() == 1
                && route() != null
                && world.condition("digits", "Packaged").equals("True Packaged"));
        assertThat(world.server.hasFailed()).isTrue();
        assertThat(world.catalog.find(DIGITS).orElseThrow().versions()).hasSize(1);
    }

    @Test
    void reportsAPermanentRejectionOfTheApiServer() {
        world.server.fail("/configurations", 403, Integer.MAX_VALUE);
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Placed").equals("False Declined"));
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 500, 503})
    void reportsAndRetriesALastingApiServerFailure(int code) {
        world.server.fail("/configurations", code, Integer.MAX_VALUE);
        world.startOperator(world::record);
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Placed").equals("False KubernetesUnavailable"));
        assertThat(world.condition("digits", "Packaged")).isEqualTo("True Packaged");
        world.server.recover();
        await().until(() -> configurations().size() == 1);
    }

    @Test
    void reportsAnUnreadableCluster() {
        world.server.hide("/configmaps", 403);
        world.startOperator(world::record);
        world.ahead = ReconcilePass.HEARING;
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Placed").equals("Unknown ClusterUnknown"));
        world.server.recover();
        await().until(() -> route() != null);
    }

    @Test
    void reportsAndRetriesAStoreOutage() {
        var tries = new AtomicInteger();
        world.startOperator(wish -> {
            if (tries.incrementAndGet() == 1) {
                throw new StorageException(
                        StorageException.Kind.UNAVAILABLE, "cannot read bucket", "", new IOException("no route"));
            }
            return world.record(wish);
        });
        world.apply("digits", 4);

        await().until(() -> world.condition("digits", "Packaged").endsWith("StoreUnavailable"));
        await().until(() -> world.condition("digits", "Packaged").equals("True Packaged"));
    }

    private List<Configuration> configurations() {
        return world.client
                .resources(Configuration.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems();
    }

    private Route route() {
        return world.client
                .resources(Route.class)
                .inNamespace(NAMESPACE)
                .withName("digits")
                .get();
    }
}
