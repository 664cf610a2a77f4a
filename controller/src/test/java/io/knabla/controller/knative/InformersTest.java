package io.knabla.controller.knative;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import io.knabla.controller.machine.Node;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Informers retry when the API server refuses their first list. */
@EnableKubernetesMockClient(https = false, crud = true)
class InformersTest {
    private static final String FIRST = "?resourceVersion=0";
    private static final FunctionId DIGITS = new FunctionId("shop", "digits");

    KubernetesMockServer server;
    KubernetesClient client;

    @Test
    void readsNodesAndPodsAfterAFirstRefusal() {
        refuse("/api/v1/nodes" + FIRST, 403);
        refuse("/api/v1/pods?labelSelector=knabla.dev%2Fversion&resourceVersion=0", 401);
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("here")
                        .endMetadata()
                        .withNewStatus()
                        .endStatus()
                        .build())
                .create();

        try (KnativeView view = KnativeView.open(client, List.of())) {
            await().until(view::hasSynced);

            assertThat(view.nodes()).extracting(Node::name).containsExactly("here");
        }
        assertThat(server.getRequestCount()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void readsStatusesWhenTheCrdIsInstalledLater() {
        refuse("/apis/knabla.dev/v1alpha1/functions" + FIRST, 404);
        createFunction();

        try (FunctionStatusCache states = FunctionStatusCache.open(client, List.of())) {
            await().until(() -> states.open(DIGITS).isPresent());

            assertThat(states.open(DIGITS).orElseThrow().status().latestVersion())
                    .isEqualTo(7);
        }
    }

    @Test
    void theFirstCallerWaitsForTheFirstList() {
        createFunction();

        try (FunctionStatusCache states =
                FunctionStatusCache.open(client, List.of()).synced(Duration.ofMinutes(2))) {
            assertThat(states.open(DIGITS)).isPresent();
        }
    }

    private void createFunction() {
        var function = new FunctionObject();
        function.getMetadata().setNamespace(DIGITS.namespace());
        function.getMetadata().setName(DIGITS.name());
        function.getMetadata().setGeneration(1L);
        function.setSpec(JsonNodeFactory.instance.objectNode());
        function.setStatus(new FunctionObjectStatus(1L, null, null, 7, null, null, null, null, null, null, List.of()));
        client.resource(function).create();
    }

    private void refuse(String path, int code) {
        server.expect()
                .get()
                .withPath(path)
                .andReturn(
                        code,
                        new StatusBuilder().withCode(code).withStatus("Failure").build())
                .once();
    }
}
