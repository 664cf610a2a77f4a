package io.knabla.controller.knative.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.knative.KnativeView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class ProductCallsTest {
    KubernetesClient client;

    @Test
    void callWithoutRightIsNamedWithLine() {
        try (var view = KnativeView.open(client, List.of())) {
            assertThat(view.podObjects()).isEmpty();
        }
        Set<ApiCall> lacking = new HashSet<>(ShippedRights.ALL);
        lacking.remove(new ApiCall("list", "", "nodes"));
        lacking.remove(new ApiCall("watch", "", "nodes"));

        assertThat(RecordingHttpClientFactory.CALLS.takeWithout(lacking))
                .hasSize(2)
                .allSatisfy(call -> assertThat(call).contains("nodes", "io.knabla.controller.knative.KnativeView"))
                .anySatisfy(call -> assertThat(call).contains("list"))
                .anySatisfy(call -> assertThat(call).contains("watch"));
    }

    @Test
    void callsOfTestsDoNotCount() {
        assertThat(client.secrets().inNamespace("shop").list().getItems()).isEmpty();

        assertThat(RecordingHttpClientFactory.CALLS.takeWithout(Set.of())).isEmpty();
    }
}
