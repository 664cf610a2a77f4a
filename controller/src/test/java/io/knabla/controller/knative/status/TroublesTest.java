package io.knabla.controller.knative.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.knative.pkg.apis.Condition;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.RevisionBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.functions.unit.FailureCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the translation of messages from the scheduler, the kubelet, admission control and the replica. */
class TroublesTest {
    private static final List<Node> NODES = Recordings.snapshot("good").nodes();

    @Test
    void namesTaintsThatSchedulerOmits() {
        Trouble trouble = Scheduling.trouble(
                asking(Map.of("nvidia.com/gpu", new Quantity("2"), "cpu", new Quantity("6"))),
                "0/4 nodes are available: 2 Insufficient cpu, 2 Insufficient nvidia.com/gpu, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
                NODES);

        assertThat(trouble.message())
                .startsWith(
                        "none of 4 nodes takes a replica: it asks for 6 cpu, of which the largest node that it may use has 4 cpu; ")
                .contains(
                        "it asks for 2 nvidia.com/gpu, of which the largest node that it may use has 1 nvidia.com/gpu; ")
                .contains("other nodes are kept free of it by the taint karpenter.sh/capacity-type=spot:NoSchedule. ")
                .contains("lower spec.resources.cpu");
    }

    @Test
    void whereNoNodeSharesItsGpusWholeOnesAreNamed() {
        PodSpec quarter = new PodSpecBuilder(asking(Map.of("nvidia.com/gpu", new Quantity("1"))))
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("nvidia.com/gpu.replicas")
                .withOperator("In")
                .withValues("4")
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .build();

        Trouble trouble = Scheduling.trouble(
                quarter,
                "0/4 nodes are available: 4 node(s) didn't match Pod's node affinity/selector. preemption: 0/4 nodes",
                NODES);

        assertThat(trouble.message())
                .contains("no node has the label nvidia.com/gpu.replicas=4")
                .contains(
                        "write spec.resources.gpu: 1 if nodes offer whole GPUs, or let NVIDIA's device plugin share them")
                .doesNotContain("kubectl label");
    }

    @Test
    void whereNodesShareTheirGpusAShareIsNamed() {
        PodSpec whole = new PodSpecBuilder(asking(Map.of("nvidia.com/gpu", new Quantity("1"))))
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("nvidia.com/gpu.sharing-strategy")
                .withOperator("NotIn")
                .withValues("mps", "time-slicing")
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .build();
        Node shared = new NodeBuilder(NODES.getFirst())
                .editMetadata()
                .addToLabels("nvidia.com/gpu.sharing-strategy", "time-slicing")
                .endMetadata()
                .build();
        String said =
                "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes";

        assertThat(Scheduling.trouble(whole, said, List.of(NODES.getLast(), shared))
                        .message())
                .contains("write a share such as spec.resources.gpu: 0.25");
        assertThat(Scheduling.trouble(whole, said, NODES).message()).doesNotContain("0.25");
    }

    @ParameterizedTest
    @CsvSource({"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.10gb"})
    void whereNoDevicePluginIsThatIsNamed(String resource) {
        Trouble trouble = Scheduling.trouble(
                asking(Map.of(resource, new Quantity("1"))),
                "0/4 nodes are available: 4 Insufficient %s. preemption: 0/4 nodes".formatted(resource),
                List.of(new NodeBuilder()
                        .withNewMetadata()
                        .withName("bare")
                        .endMetadata()
                        .build()));

        assertThat(trouble.message())
                .contains("no node that it may use offers %s, and it asks for 1".formatted(resource))
                .contains("add a GPU node with its device plugin")
                .contains("through DRA only, set extendedResourceName: " + resource + " in their DeviceClass");
    }

    @Test
    void aPoolWhoseSharesAreTakenIsFull() {
        Node shared = new NodeBuilder()
                .withNewMetadata()
                .withName("shared")
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("nvidia.com/gpu", new Quantity("4"))
                .endStatus()
                .build();

        Trouble trouble = Scheduling.trouble(
                asking(Map.of("nvidia.com/gpu", new Quantity("1"))),
                "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. preemption: 0/1 nodes",
                List.of(shared));

        assertThat(trouble.message())
                .contains("it asks for 1 nvidia.com/gpu, of which no node that it may use has enough free");
    }

    @Test
    void passesOnUnknownSchedulerMessage() {
        Trouble trouble = Scheduling.trouble(
                asking(Map.of()), "0/4 nodes are available: 4 node(s) were on fire. preemption: 0/4 nodes", NODES);

        assertThat(trouble.message())
                .startsWith(
                        "none of 4 nodes takes a replica: 0/4 nodes are available: 4 node(s) were on fire. An autoscaler");
    }

    private static PodSpec asking(Map<String, Quantity> limits) {
        return new PodSpecBuilder()
                .addNewToleration()
                .withKey("nvidia.com/gpu")
                .withOperator("Exists")
                .endToleration()
                .addNewContainer()
                .withName("replica")
                .withNewResources()
                .withLimits(limits)
                .endResources()
                .endContainer()
                .build();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            # reason    | exit | code | last line | becomes | with
            OOMKilled   | 137  |                     |                                             | OOMKilled          | was killed, as it used more than its memory of 64Mi. Set spec.resources.memory to more, such as 128Mi
            Error       | 3    | OTHER               | java.lang.OutOfMemoryError: Java heap space | OOMKilled          | ran out of memory of 64Mi
            Error       | 1    |                     | # There is insufficient memory for the Java Runtime Environment to continue. | OOMKilled | ran out of memory
            Error       | 3    | STORE_FORBIDDEN     | replica failed: cannot read u             | StoreForbidden     | cannot read u
            Error       | 3    | STORE_UNAVAILABLE   | replica failed: cannot read u             | StoreUnavailable   | cannot read u
            Error       | 3    | BAD_OBJECT          | replica failed: cannot read u             | StoreUnavailable   | cannot read u
            Error       | 3    | CREDENTIALS_EXPIRED | replica failed: cannot read u             | CredentialsExpired | cannot read u
            Error       | 3    | BUCKET_MISSING      | replica failed: cannot read u             | BucketMissing      | cannot read u
            Error       | 3    | UNIT_MISSING        | replica failed: unit u is gone              | UnitMissing        | is gone
            Error       | 3    | CACHE_UNUSABLE      | replica failed: no room                     | CrashLoop          | the last time with: no room
            Error       | 3    | OF_A_NEWER_REPLICA  | replica failed: the moon is full            | CrashLoop          | the last time with: the moon is full
            Error       | 3    |                     | replica failed: a.b.OddException: 'u' is not in the store s3://m. | CrashLoop | the replica ended with exit code 3, 4 times in a row, the last time with: 'u' is not in the store s3://m.
            Error       | 6    | DEVICE_LOST         | replica failed: the GPU was lost: CUDA error 719 | DeviceLost    | the GPU was lost: CUDA error 719. It was the same 4 times in a row: look at the node's GPU with nvidia-smi
            Error       | 6    |                     |                                             | DeviceLost         | the replica lost its GPU, and starts again
            Error       | 134  |                     |                                             | CrashLoop          | with exit code 134, 4 times in a row and said nothing
            """)
    void explainsContainerTermination(
            String reason, int exit, String code, String lastLine, String becomes, String with) {
        ContainerStateTerminated ended = new ContainerStateTerminatedBuilder()
                .withReason(reason)
                .withExitCode(exit)
                .withMessage((code == null ? "" : event(code)) + Objects.toString(lastLine, ""))
                .build();

        Trouble trouble = Exits.trouble(ended, 4, Optional.of(new Quantity("67108864")));

        assertThat(trouble.reason()).isEqualTo(becomes);
        assertThat(trouble.message()).contains(with);
    }

    /** As {@code Events} of the replica writes it. */
    private static String event(String code) {
        return "{\"event\":\"failed\",\"error\":\"as below\",\"code\":\"%s\"}\n".formatted(code);
    }

    @Test
    void ignoresCutOrForeignEvents() {
        assertThat(TerminationMessage.code("tore\",\"code\":\"UNIT_MISSING\"}\n{\"event\":\"listening\",\"port\":1}"))
                .isEqualTo(FailureCode.OTHER);
        assertThat(TerminationMessage.code("{ no JSON\n" + event("BUCKET_MISSING") + "{\"event\":\"listening\"}"))
                .isEqualTo(FailureCode.BUCKET_MISSING);
    }

    @Test
    void stripsPrefixFromLastLine() {
        assertThat(TerminationMessage.lastLine("replica failed: 'units/a' is not in the store s3://m."))
                .isEqualTo("'units/a' is not in the store s3://m.");
        assertThat(TerminationMessage.lastLine("replica failed: a.b.OddException: it is odd"))
                .isEqualTo("it is odd");
    }

    @Test
    void reportsRevisionExitLikePodExit() {
        assertThat(Revisions.trouble(failed(
                        "ExitCode3",
                        "Container failed with: " + event("UNIT_MISSING")
                                + "replica failed: 'units/a' is not in the store s3://m.")))
                .hasValue(Trouble.running(Reason.UnitMissing, "'units/a' is not in the store s3://m"));
        assertThat(Revisions.trouble(failed("ExitCode137", "Container failed with: ")))
                .hasValueSatisfying(trouble -> assertThat(trouble.reason()).isEqualTo("OOMKilled"));
    }

    private static Revision failed(String reason, String message) {
        var ready = new Condition();
        ready.setType("Ready");
        ready.setStatus("False");
        ready.setReason(reason);
        ready.setMessage(message);
        return new RevisionBuilder()
                .withNewMetadata()
                .withName("digits-v1")
                .endMetadata()
                .withNewStatus()
                .withConditions(ready)
                .endStatus()
                .build();
    }

    @Test
    void ignoresKubeletSyncDelay() {
        assertThat(Containers.trouble(waiting("failed to sync secret cache: timed out waiting for the condition")))
                .isEmpty();
        assertThat(Containers.trouble(waiting("secret \"digits-knabla\" not found")))
                .hasValueSatisfying(trouble -> assertThat(trouble.reason()).isEqualTo("CreateContainerConfigError"));
    }

    private static Pod waiting(String message) {
        return new PodBuilder()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("replica")
                .withNewState()
                .withNewWaiting(message, "CreateContainerConfigError")
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    @Test
    void skipsStackTraceAndJsonEvents() {
        String output = """
                replica failed: io.knabla.functions.unit.UnitException: no room for the unit
                \tat io.knabla.runtime.Main.main(Main.java:3)
                Caused by: java.io.IOException: x
                {"event":"failed"}

                """;

        assertThat(TerminationMessage.lastLine(output)).isEqualTo("no room for the unit");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            r.example/k/replica:1 | failed to authorize: 401 Unauthorized             | the registry r.example | imagePullSecret
            r.example/k/replica:1 | dial tcp: lookup r.example: no such host          | the registry r.example | nodes reach the registry
            r.example/k/replica:1 | r.example/k/replica:1: not found                  | the registry r.example | ./knabla images --push
            knabla/replica        | pull access denied, repository does not exist     | docker.io              | imagePullSecret
            knabla/replica        | the moon is full                                  | docker.io              | correct the image's name
            """)
    void namesRegistryAndRemedyForImage(String image, String said, String registry, String cure) {
        assertThat(Images.trouble("ErrImagePull", image, said).message())
                .contains("from " + registry)
                .contains(cure);
        assertThat(Images.trouble("ErrImagePull", image, said).reason()).isEqualTo("ImagePullBackOff");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', textBlock = """
            pods "p" is forbidden: exceeded quota: small, requested: limits.memory=64Mi, used: limits.memory=60Mi, limited: limits.memory=64Mi | QuotaExceeded | a replica asks for limits.memory=64Mi, used are limits.memory=60Mi of limits.memory=64Mi. Raise it (kubectl edit resourcequota small -n team)
            pods "p" is forbidden: failed quota: small: must specify limits.memory for: queue-proxy | QuotaExceeded | Set queue-sidecar-memory-limit in ConfigMap config-deployment
            pods "p" is forbidden: failed quota: small: must specify requests.cpu for: queue-proxy  | QuotaExceeded | Set queue-sidecar-cpu-request in ConfigMap config-deployment
            pods "p" is forbidden: violates PodSecurity "restricted:latest": seccompProfile         | PodRefused    | violates PodSecurity
            """)
    void explainsAdmissionRejection(String said, String reason, String message) {
        Trouble trouble = AdmissionRejections.trouble("team", said);

        assertThat(trouble.reason()).isEqualTo(reason);
        assertThat(trouble.message()).contains(message);
    }
}
