package io.knabla.controller.knative.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.knabla.controller.knative.resource.FunctionObjectStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the conditions for each failure recorded from a real cluster, and the remedy in their messages. */
class RecordedCasesTest {
    @ParameterizedTest(name = "{0}: Placed={1} {2}, Ready={3} {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # recorded  | Placed  | reason        | Ready   | reason           | Ready's (else Placed's) message has
            good        | True    | ScaledToZero  | True    | Ready            | version 1 answers requests
            onspot      | True    | Placed        | True    | Ready            | version 1 answers requests
            noimage     | True    | Placed        | False   | ImagePullBackOff | the image registry.example/knabla/replica:gone cannot be pulled from the registry registry.example: registry.example/knabla/replica:gone: not found. Push it again with ./knabla images --push
            digest      | Unknown | Starting      | False   | ImagePullBackOff | Push it again with ./knabla images --push
            gaveup      | Unknown | Starting      | False   | ProgressDeadlineExceeded | no replica of revision noimage-v1-abcde became ready
            noaffinity  | False   | Unschedulable | False   | Unschedulable    | no node (there is one) takes a replica: no node has the label karpenter.sh/capacity-type=spot or eks.amazonaws.com/capacityType=SPOT. An autoscaler such as Karpenter may bring a node that does; else label a node so (kubectl label node NODE KEY=VALUE), or set spec.placement.capacity
            noselector  | False   | Unschedulable | False   | Unschedulable    | no node has the label knabla.dev/nobody=here
            nogpu       | False   | Unschedulable | False   | Unschedulable    | no node that it may use offers nvidia.com/gpu, and it asks for 1. An autoscaler such as Karpenter may bring a node that does; else add a GPU node
            nomemory    | False   | Unschedulable | False   | Unschedulable    | it asks for 921600 MiB of memory, of which the largest node that it may use has
            nodegone    | False   | Unschedulable | False   | Unschedulable    | no node has the label status-only=yes
            quota       | False   | QuotaExceeded | False   | QuotaExceeded    | the quota 'pods' of namespace status-q is used up: a replica asks for pods=1, used are pods=0 of pods=0. Raise it
            oom         | True    | Placed        | False   | OOMKilled        | used more than its memory of 64Mi. Set spec.resources.memory to more, such as 128Mi
            crash       | True    | Placed        | False   | UnitMissing      | .json' is not in the store s3://models
            config      | True    | Placed        | False   | CreateContainerConfigError | secret "nobody" not found
            """)
    void namesRemedy(
            String recorded, String placed, String placedReason, String ready, String readyReason, String message) {
        FunctionObjectStatus status =
                FunctionStatusBuilder.status(Recordings.input(Recordings.snapshot(recorded), 1), null, Recordings.NOW);

        assertThat(condition(status, "Packaged").getStatus()).isEqualTo("True");
        assertThat(condition(status, "Placed"))
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly(placed, placedReason);
        assertThat(condition(status, "Ready"))
                .extracting(Condition::getStatus, Condition::getReason)
                .containsExactly(ready, readyReason);
        assertThat(condition(status, "Ready").getMessage()).contains(message);
    }

    static Condition condition(FunctionObjectStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }
}
