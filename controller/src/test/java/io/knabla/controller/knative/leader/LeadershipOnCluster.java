package io.knabla.controller.knative.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.knabla.controller.knative.suite.TestCluster;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Leader election on a real API server, with the default timing. */
class LeadershipOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final String namespace = cluster.namespace("leaders");
    private final String name = LeaseClient.name(List.of(namespace));

    @Test
    void stopsALeaderWithoutConnectionAndElectsAnother() {
        KubernetesClient cut = client();
        try (var first = controller("first", cut);
                var second = controller("second", cluster.client())) {
            first.start();
            TestCluster.await().until(() -> told.contains("first begins"));
            second.start();
            long cutAt = System.nanoTime();
            cut.close();

            TestCluster.await().until(() -> told.contains("second begins"));
            System.out.printf(
                    "cluster test: another leads %.1f s after the leader was cut off%n",
                    (System.nanoTime() - cutAt) / 1e9);
            assertThat(told).containsSequence("first ends", "second begins");
            assertThat(lease().getSpec().getHolderIdentity()).isEqualTo("second");
            assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(1);
        }
        assertThat(lease().getSpec().getHolderIdentity()).as("handed over").isEmpty();
    }

    private static KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withConfig(cluster.client().getConfiguration())
                .build();
    }

    private Leadership controller(String me, KubernetesClient client) {
        return new Leadership(
                new LeaseClient(client, namespace, name, me, LeaseTimes.DEFAULT, Clock.systemUTC()), _ -> {
                    told.add(me + " begins");
                    return () -> told.add(me + " ends");
                });
    }

    private Lease lease() {
        return cluster.client().leases().inNamespace(namespace).withName(name).get();
    }
}
