package io.knabla.controller.knative;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodReplicaTest {
    private static Replica replica(PodStatus status, String deleted) {
        return PodReplica.of(new PodBuilder()
                        .withNewMetadata()
                        .withName("digits-v1-x")
                        .withNamespace("shop")
                        .withCreationTimestamp("2026-01-01T00:00:00Z")
                        .withDeletionTimestamp(deleted)
                        .addToLabels(Labels.FUNCTION, "digits")
                        .addToLabels(Labels.VERSION, "1")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .withStatus(status)
                        .build())
                .orElseThrow();
    }

    private static PodStatusBuilder ready() {
        return new PodStatusBuilder()
                .withPhase("Running")
                .withPodIP("fd00::7")
                .withStartTime("2026-01-01T00:00:05Z")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition();
    }

    @Test
    void aReadyPodHasTheAddressOfItsQueueProxy() {
        Replica replica = replica(ready().build(), null);
        assertThat(replica.state()).isEqualTo(State.READY);
        assertThat(replica.address()).contains(URI.create("http://[fd00::7]:8012"));
        assertThat(replica.started()).isEqualTo(Instant.parse("2026-01-01T00:00:05Z"));
    }

    @Test
    void aDeletedPodIsDrainingEvenWhileReady() {
        Replica replica = replica(ready().build(), "2026-01-01T00:01:00Z");
        assertThat(replica.state()).isEqualTo(State.DRAINING);
        assertThat(replica.address()).isEmpty();
    }

    @Test
    void anUnscheduledPodHasTheReasonOfTheScheduler() {
        Replica replica = replica(
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("0/1 nodes are available")
                        .endCondition()
                        .build(),
                null);
        assertThat(replica.state()).isEqualTo(State.STARTING);
        assertThat(replica.node()).isEmpty();
        assertThat(replica.reason()).isEqualTo("Unschedulable: 0/1 nodes are available");
    }

    @Test
    void aWaitingContainerGivesTheReason() {
        Replica replica = replica(
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewWaiting()
                        .withReason("ImagePullBackOff")
                        .endWaiting()
                        .endState()
                        .endContainerStatus()
                        .build(),
                null);
        assertThat(replica.reason()).isEqualTo("ImagePullBackOff");
    }

    @Test
    void anEvictedPodStaysFailedAfterItIsGone() {
        Replica evicted = replica(
                new PodStatusBuilder()
                        .withPhase("Failed")
                        .withReason("Evicted")
                        .withMessage("The node was low on resource: memory.")
                        .build(),
                null);
        assertThat(evicted.state()).isEqualTo(State.FAILED);
        assertThat(PodReplica.gone(evicted).state()).isEqualTo(State.FAILED);
        assertThat(PodReplica.gone(evicted).reason()).startsWith("Evicted: The node was low");
        assertThat(PodReplica.gone(replica(ready().build(), null)).state()).isEqualTo(State.STOPPED);
    }
}
