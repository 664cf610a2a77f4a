package io.knabla.controller.standin;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.time.Instant;
import java.util.Optional;

/** A workload of a kind that nothing of the controller knows: its owner is named like the function digits. */
public final class ToyWorkload {
    public static final WorkloadOwner OWNER = new WorkloadOwner("Toy", "shop", "digits", 3);
    public static final String NAME = "toy-digits-3-0";

    private ToyWorkload() {}

    /** A worker that declares half a CPU and 256 MiB. */
    public static Workload on(String node) {
        return new Workload(NAME, OWNER, node, new Resources(Optional.of(500L), Optional.of(256L << 20), 0));
    }

    /** A ready worker in a pod that declares the same, of spot capacity. */
    public static Pod pod(String node, Instant scheduled) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %3$s
                  namespace: shop
                  uid: 5c1f8a52-toy
                  creationTimestamp: "%1$s"
                  labels:
                    knabla.dev/capacity-type: spot
                    knabla.dev/kind: Toy
                    knabla.dev/owner: digits
                    knabla.dev/pool: cpu
                    knabla.dev/version: "3"
                spec:
                  nodeName: %2$s
                  terminationGracePeriodSeconds: 30
                  containers:
                    - name: worker
                      resources: {limits: {memory: 256Mi}, requests: {cpu: 500m, memory: 256Mi}}
                status:
                  phase: Running
                  conditions:
                    - {type: PodScheduled, status: "True", lastTransitionTime: "%1$s"}
                    - {type: Ready, status: "True", lastTransitionTime: "%1$s"}
                """.formatted(scheduled, node, NAME), Pod.class);
    }
}
