package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.deploy.DeployResult;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.FunctionSnapshot;
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
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FunctionFinalizerTest {
    private static final Instant DELETED = Instant.parse("2026-01-01T00:00:00Z");
    private static final FunctionSnapshot NOTHING =
            new FunctionSnapshot(List.of(), List.of(), Optional.empty(), List.of(), List.of());

    private final ServerSideApplyMock server = new ServerSideApplyMock();
    private final KubernetesClient client = server.client();
    private final MapCatalog catalog = new MapCatalog();
    private final Queue<Runnable> line = new ArrayDeque<>();
    private Instant now = DELETED;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private final PackagingQueue packagings = new PackagingQueue(order -> deploy(order.resource()), line::add, clock);
    private final FunctionObject function = function();
    private FunctionFinalizer removal;

    @BeforeEach
    void open() {
        var writer = new ObjectApplier(client);
        removal = new FunctionFinalizer(
                catalog,
                packagings,
                writer,
                new StatusWriter(
                        writer,
                        new EventRecorder(client, clock, "one"),
                        new UnitProvenance(new MemoryObjectStore()),
                        Optional::empty,
                        Map::of,
                        clock),
                new ReplacementLimiter(_ -> {}),
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
        FunctionSnapshot seen = new FunctionSnapshot(List.of(), List.of(), Optional.of(route()), List.of(), List.of());

        assertThatThrownBy(() -> removal.cleanUp(function, seen)).isInstanceOf(KubernetesClientException.class);
        assertThat(catalog.list()).hasSize(1);
        now = DELETED.plus(FunctionFinalizer.IN_CLUSTER);

        assertThat(removal.cleanUp(function, seen)).isEmpty();
        assertThat(catalog.list()).isEmpty();
    }

    @Test
    void doesNotWaitForAQueuedPackaging() {
        packagings.submit(
                "uid", new PackagingQueue.PackagingRequest(wish(), "uid", new RecordOwnership("here")), () -> {});

        assertThat(removal.cleanUp(function, NOTHING)).isEmpty();
        line.remove().run();
        assertThat(catalog.list()).isEmpty();
    }

    private DeployResult deploy(FunctionResource wish) {
        catalog.put(record());
        return new DeployResult.Deployed(record(), record().latest(), List.of());
    }

    private static FunctionRecord record() {
        return new FunctionRecord(
                OperatorFixture.DIGITS, List.of(Specs.inference().version(1, Instant.EPOCH)), List.of(), "etag");
    }

    private static FunctionResource wish() {
        return new FunctionResource(
                OperatorFixture.NAMESPACE,
                OperatorFixture.DIGITS.name(),
                Specs.inference().spec());
    }

    private static Route route() {
        return new RouteBuilder()
                .withNewMetadata()
                .withNamespace(OperatorFixture.NAMESPACE)
                .withName("digits")
                .endMetadata()
                .build();
    }

    private static FunctionObject function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(OperatorFixture.NAMESPACE);
        function.getMetadata().setName(OperatorFixture.DIGITS.name());
        function.getMetadata().setUid("uid");
        function.getMetadata().setDeletionTimestamp(DELETED.toString());
        return function;
    }
}
