package io.knabla.controller.knative.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class JobPodTest {
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(60), new MemoryLimit(64L << 20, MemoryLimit.Source.DEFAULT));

    private static Pod pod(PodStatusBuilder status) {
        return new PodBuilder()
                .withNewMetadata()
                .endMetadata()
                .withStatus(status.build())
                .build();
    }

    private static Pod waiting(String reason, String message) {
        return pod(new PodStatusBuilder()
                .withPhase("Pending")
                .addNewContainerStatus()
                .withNewState()
                .withNewWaiting(message, reason)
                .endState()
                .endContainerStatus());
    }

    private static ContainerStateTerminated ended(int code, String reason) {
        return new ContainerStateTerminatedBuilder()
                .withExitCode(code)
                .withReason(reason)
                .build();
    }

    @Test
    void waitsForCausesThatMayResolve() {
        assertThat(JobPod.of(new PodBuilder().build())).isEqualTo(new JobPod.Waiting(Optional.empty()));
        assertThat(JobPod.of(waiting("ContainerCreating", null))).isEqualTo(new JobPod.Waiting(Optional.empty()));
        // Its Secret is created right after the Job.
        assertThat(JobPod.of(waiting("CreateContainerConfigError", "secret \"x\" not found")))
                .isEqualTo(new JobPod.Waiting(Optional.of("CreateContainerConfigError: secret \"x\" not found")));
        assertThat(JobPod.of(pod(new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("no node")
                        .endCondition())))
                .isEqualTo(new JobPod.Waiting(Optional.of("Unschedulable: no node")));
    }

    @Test
    void doesNotWaitForAPodThatCannotStart() {
        assertThat(JobPod.of(waiting("ImagePullBackOff", "no such image")))
                .isEqualTo(new JobPod.Stuck("ImagePullBackOff: no such image"));
        assertThat(JobPod.of(pod(new PodStatusBuilder().withPhase("Failed").withReason("Evicted"))))
                .isEqualTo(new JobPod.Stuck("Evicted"));
    }

    @Test
    void anEvictionDoesNotJudgeTheModel() {
        assertThat(JobPod.of(ended(pod -> {}, 143, "Error"))).isInstanceOf(JobPod.Stuck.class);
        assertThat(JobPod.of(ended(pod -> {}, 137, "Error"))).isInstanceOf(JobPod.Stuck.class);
        assertThat(JobPod.of(ended(pod -> pod.setDeletionTimestamp("now"), 1, "Error")))
                .isInstanceOf(JobPod.Stuck.class);
        assertThat(JobPod.of(ended(pod -> {}, 137, "OOMKilled"))).isInstanceOf(JobPod.Done.class);
        assertThat(JobPod.of(ended(pod -> {}, 134, "Error"))).isInstanceOf(JobPod.Done.class);
    }

    private static Pod ended(Consumer<ObjectMeta> metadata, int code, String reason) {
        Pod pod = pod(new PodStatusBuilder()
                .withPhase("Failed")
                .addNewContainerStatus()
                .withNewState()
                .withTerminated(ended(code, reason))
                .endState()
                .endContainerStatus());
        metadata.accept(pod.getMetadata());
        return pod;
    }

    @Test
    void readsTheResultFromTheLog() {
        assertThat(JobPod.judge(
                        ended(0, "Completed"), LIMITS, () -> "a warning of a library\n{\"event\":\"checked\"}\n"))
                .isEqualTo(new EngineResult.Passed(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(JobPod.judge(
                        ended(4, "Error"), LIMITS, () -> "{\"event\":\"refused\",\"error\":\"no kernel for Foo\"}\n"))
                .isEqualTo(new EngineResult.Refused("no kernel for Foo"));
        assertThat(JobPod.judge(ended(134, "Error"), LIMITS, () -> "terminate called\n{\"event\":\"listening\"}\n"))
                .isEqualTo(new EngineResult.Crashed("signal 6, SIGABRT: terminate called"));
    }

    @Test
    void reportsAnOutOfMemoryKillAsTooLarge() {
        assertThat(JobPod.judge(ended(137, "OOMKilled"), LIMITS, () -> {
                    throw new AssertionError("nobody needs its log");
                }))
                .isEqualTo(new EngineResult.TooLarge(64L << 20, LIMITS.memory()));
    }
}
