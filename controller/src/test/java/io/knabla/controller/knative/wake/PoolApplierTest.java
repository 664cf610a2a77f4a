package io.knabla.controller.knative.wake;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.manifest.PoolObjects;
import io.knabla.controller.knative.reconcile.ServerSideApplyMock;
import io.knabla.controller.machine.Architecture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolApplierTest {
    static final PoolObjects OBJECTS = new PoolObjects(
            new PodSettings(
                    "replica:1",
                    Optional.empty(),
                    Optional.empty(),
                    new StoreAccess(
                            "s3://bucket", Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "secret")),
                    Map.of(),
                    Architecture.ofThisProcess()),
            new PoolObjects.Size(1L << 30, 512L << 20, 1));

    private static final Set<String> BOTH = new LinkedHashSet<>(List.of("gone", "shop"));

    private final ServerSideApplyMock server = new ServerSideApplyMock();
    private final KubernetesClient client = server.client();
    private final PoolApplier applier = new PoolApplier(client, OBJECTS);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aNamespaceThatRefusesItsPoolStopsNoOther() {
        server.fail("/namespaces/gone/", 404, Integer.MAX_VALUE);
        applier.apply(BOTH, Set.of());
        assertThat(namespacesWithPools()).containsExactly("shop");

        server.recover();
        applier.apply(BOTH, Set.of("shop"));
        assertThat(namespacesWithPools()).containsExactlyInAnyOrder("gone", "shop");
    }

    @Test
    void aNamespaceThatKeepsItsPoolStopsNoOther() {
        applier.apply(BOTH, Set.of());
        server.fail("/namespaces/gone/", 403, Integer.MAX_VALUE);
        applier.apply(Set.of(), BOTH);
        assertThat(namespacesWithPools()).containsExactly("gone");

        server.recover();
        applier.apply(Set.of(), Set.of("gone"));
        assertThat(namespacesWithPools()).isEmpty();
    }

    @Test
    void aRefusalIsLoggedOnceUntilItsCauseChanges() {
        try (var log = new Log()) {
            server.fail("/namespaces/gone/", 403, 2);
            server.fail("/namespaces/gone/", 404, 1);
            for (int round = 0; round < 4; round++) {
                applier.apply(Set.of("gone"), Set.of());
            }
            assertThat(log.lines)
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("cannot change the wake pool of namespace gone"));
        }
    }

    private Collection<String> namespacesWithPools() {
        return client.resources(Configuration.class).inAnyNamespace().list().getItems().stream()
                .map(it -> it.getMetadata().getNamespace())
                .toList();
    }

    /** What the applier logs, instead of the console. */
    private static final class Log extends Handler implements AutoCloseable {
        final List<String> lines = new ArrayList<>();
        private final Logger logger = Logger.getLogger(PoolApplier.class.getName());

        Log() {
            logger.setUseParentHandlers(false);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord record) {
            lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setUseParentHandlers(true);
        }
    }
}
