package io.knabla.controller.knative.reconcile;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.knabla.controller.knative.Karpenter;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false, crud = true)
class ClusterWatchTest {
    private static final String SPOT_POOL =
            "{spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]}}";

    private static final CapacitySlot SPOT = new CapacitySlot(Pool.cpu, CapacityType.Spot);

    KubernetesMockServer server;
    KubernetesClient client;
    private final AtomicInteger changes = new AtomicInteger();
    private KnativeView view;
    private ClusterWatch ground;

    @BeforeEach
    void view() {
        view = KnativeView.open(client, List.of());
    }

    @AfterEach
    void close() {
        ground.close();
        view.close();
    }

    private void open() {
        ground = ClusterWatch.open(client, view, changes::incrementAndGet);
        await().until(() -> ground.capabilities().isPresent());
    }

    private boolean hasSpot() {
        return ground.capabilities()
                .filter(terrain -> terrain.capacity().has(SPOT))
                .isPresent();
    }

    @Test
    void followsKarpenterThatIsInstalledOrRemovedLater() {
        open();
        assertThat(hasSpot()).isFalse();

        CustomResourceDefinition definition =
                client.resource(Karpenter.definition("v1")).create();
        Karpenter.createNodePool(client, SPOT_POOL);
        await().until(this::hasSpot);
        await().until(() -> changes.get() > 0);

        client.resource(definition).delete();
        await().until(() -> ground.capabilities().isPresent() && !hasSpot());
    }

    @Test
    void ignoresAnOldKarpenter() {
        client.resource(Karpenter.definition("v1beta1")).create();

        open();

        assertThat(hasSpot()).isFalse();
    }

    @Test
    void readsSettingsAfterAFirstRefusal() {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/%s/configmaps?resourceVersion=0".formatted(ClusterWatch.KNATIVE))
                .andReturn(
                        403,
                        new StatusBuilder().withCode(403).withStatus("Failure").build())
                .once();

        open();

        assertThat(ground.capabilities()).isPresent();
    }
}
