package io.knabla.controller.knative.usage;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;

/** Pods, nodes and events in the shapes of Kubernetes 1.34 with Knative 1.22. */
final class Objects {
    static final String UID = "b847087b-08f8-4eb1-921e-182a171daac4";

    private Objects() {}

    static Instant at(String time) {
        return Instant.parse("2026-11-21T" + time + "Z");
    }

    /** @param status lines of the status, indented by two spaces */
    static Pod pod(String status) {
        return pod("", status);
    }

    /** @param metadata lines that are added to the metadata */
    static Pod pod(String metadata, String status) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: digits-cpu-spot-v3-abcde-deployment-68f55df4cb-bhw7n
                  namespace: shop
                  uid: %s
                  creationTimestamp: "2026-11-21T13:53:05Z"
                  labels:
                    knabla.dev/capacity-type: spot
                    knabla.dev/function: digits
                    knabla.dev/pool: cpu
                    knabla.dev/version: "3"
                %s
                spec:
                  nodeName: spot-1
                  containers:
                    - name: replica
                      ports: [{containerPort: 8080, name: user-port, protocol: TCP}]
                      resources: {limits: {memory: 256Mi}, requests: {cpu: 500m, memory: 256Mi}}
                    - name: queue-proxy
                      resources: {requests: {cpu: 25m}, limits: {memory: 64Mi}}
                status:
                %s
                """.formatted(UID, metadata.indent(2), status.indent(2)), Pod.class);
    }

    static final String SCHEDULED = """
            conditions:
              - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T13:53:07Z"}
            """;

    static final String READY = """
            podIP: 10.244.0.7
            phase: Running
            conditions:
              - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T13:53:07Z"}
              - {type: Initialized, status: "True", lastTransitionTime: "2026-11-21T13:53:07Z"}
              - {type: ContainersReady, status: "True", lastTransitionTime: "2026-11-21T13:53:13Z"}
              - {type: Ready, status: "True", lastTransitionTime: "2026-11-21T13:53:13Z"}
            containerStatuses:
              - {name: queue-proxy, ready: true, restartCount: 0, state: {running: {startedAt: "2026-11-21T13:53:10Z"}}}
              - name: replica
                containerID: containerd://one
                ready: true
                restartCount: 0
                state: {running: {startedAt: "2026-11-21T13:53:09Z"}}
            """;

    /** Deleted by Knative's scale-down: asked for at 14:00:00, drained at 14:00:04. */
    static final String DELETED = """
            deletionTimestamp: "2026-11-21T14:00:40Z"
            deletionGracePeriodSeconds: 40
            """;

    static String ended(String phase, String replicaState) {
        return """
                phase: %s
                conditions:
                  - {type: PodScheduled, status: "True", lastTransitionTime: "2026-11-21T13:53:07Z"}
                  - {type: Ready, status: "False", lastTransitionTime: "2026-11-21T14:00:02Z"}
                containerStatuses:
                  - name: queue-proxy
                    state: {terminated: {exitCode: 0, finishedAt: "2026-11-21T14:00:02Z", reason: Completed}}
                  - name: replica
                    %s
                """.formatted(phase, replicaState);
    }

    /** @param labels and taints as flow mappings, such as {@code {a: b}} */
    static Node node(String labels, String taints) {
        return Serialization.unmarshal("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: spot-1
                  uid: 6f0c1c1e-node
                  creationTimestamp: "2026-11-21T13:50:00Z"
                  labels: %s
                spec:
                  taints: %s
                status:
                  allocatable: {cpu: 1930m, memory: 7220184Ki, pods: "29"}
                  capacity: {cpu: "2", memory: 8Gi, pods: "29"}
                """.formatted(labels, taints), Node.class);
    }

    static Event event(String name, String reason, String note, String time) {
        return Serialization.unmarshal("""
                apiVersion: events.k8s.io/v1
                kind: Event
                metadata: {name: %s, namespace: shop}
                reason: %s
                note: %s
                regarding: {kind: Pod, namespace: shop, uid: %s}
                reportingController: kubelet
                deprecatedLastTimestamp: "2026-11-21T%sZ"
                """.formatted(name, reason, note, UID, time), Event.class);
    }
}
