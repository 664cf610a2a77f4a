package io.knabla.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.deploy.Deployment;
import io.knabla.controller.deploy.Origins;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.storage.memory.MemoryObjectStore;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RemovalTest {
    private static final Instant DELETED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Seen NOTHING = new Seen(List.of(), List.of(), Optional.empty(), List.of(), List.of());

    private final ApplyingServer server = new ApplyingServer();
    private final KubernetesClient client = server.client();
    private final MapCatalog catalog = new MapCatalog();
    private final Queue<Runnable> line = new ArrayDeque<>();
    private Instant now = DELETED;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final Packagings packagings = new Packagings(order -> deploy(order.wish()), line::add, clock);
    private final FunctionObject function = function();
    private Removal removal;

    @BeforeEach
    void open() {
        var writer = new Writer(client);
        removal = new Removal(
                catalog,
                packagings,
                writer,
                new Reporter(
                        writer, new EventRecorder(client, clock, "one"), new Origins(new MemoryObjectStore()), clock),
                new Replacements(_ -> {}),
                clock);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void givesUpOnUndeletableObjectsAfterATime() {
        catalog.put(record());
        server.fail("/routes", HttpURLConnection.HTTP_FORBIDDEN, Integer.MAX_VALUE);
        Seen seen = new Seen(List.of(), List.of(), Optional.of(route()), List.of(), List.of());

        assertThatThrownBy(() -> removal.of(function, seen)).isInstanceOf(KubernetesClientException.class);
        assertThat(catalog.list()).hasSize(1);
        now = DELETED.plus(Removal.IN_CLUSTER);

        assertThat(removal.of(function, seen)).isEmpty();
        assertThat(catalog.list()).isEmpty();
    }

    @Test
    void doesNotWaitForAQueuedPackaging() {
        packagings.look("uid", new Packagings.Order(wish(), "uid", new Claims("here")), () -> {});

        assertThat(removal.of(function, NOTHING)).isEmpty();
        line.remove().run();
        assertThat(catalog.list()).isEmpty();
    }

    private Deployment deploy(FunctionResource wish) {
        catalog.put(record());
        return new Deployment.Deployed(record(), record().latest(), List.of());
    }

    private static FunctionRecord record() {
        return new FunctionRecord(
                World.DIGITS, List.of(Specs.inference().version(1, Instant.EPOCH)), List.of(), "etag");
    }

    private static FunctionResource wish() {
        return new FunctionResource(
                World.NAMESPACE, World.DIGITS.name(), Specs.inference().spec());
    }

    private static Route route() {
        return new RouteBuilder()
                .withNewMetadata()
                .withNamespace(World.NAMESPACE)
                .withName("digits")
                .endMetadata()
                .build();
    }

    private static FunctionObject function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(World.NAMESPACE);
        function.getMetadata().setName(World.DIGITS.name());
        function.getMetadata().setUid("uid");
        function.getMetadata().setDeletionTimestamp(DELETED.toString());
        return function;
    }
}
