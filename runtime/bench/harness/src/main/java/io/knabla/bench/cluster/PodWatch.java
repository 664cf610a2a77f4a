package io.knabla.bench.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records when the first new pod reaches each step of its start. Uses this process's clock, because the API server's
 * timestamps have whole seconds.
 */
final class PodWatch implements Watcher<Pod>, AutoCloseable {
    /** Name of Knative's sidecar container. */
    static final String QUEUE_PROXY = "queue-proxy";

    private final long start = System.nanoTime();
    private final Map<String, Double> millis = new ConcurrentHashMap<>();
    private final Watch watch;
    private volatile String pod;

    PodWatch(KubernetesClient client, ClusterFunction subject) {
        watch = client.pods()
                .inNamespace(subject.namespace())
                .withLabel(subject.label(), subject.name())
                .watch(this);
    }

    @Override
    public void eventReceived(Action action, Pod seen) {
        String name = seen.getMetadata().getName();
        if (action == Action.DELETED || (pod != null && !pod.equals(name))) {
            return;
        }
        pod = name;
        reached("created_ms", true);
        reached("scheduled_ms", seen.getSpec().getNodeName() != null);
        reached(
                "running_ms",
                seen.getStatus().getContainerStatuses().stream()
                        .filter(status -> !status.getName().equals(QUEUE_PROXY))
                        .map(ContainerStatus::getState)
                        .anyMatch(state -> state != null && state.getRunning() != null));
        reached(
                "pod_ready_ms",
                seen.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True")));
    }

    private void reached(String step, boolean there) {
        if (there) {
            millis.putIfAbsent(step, (System.nanoTime() - start) / 1e6);
        }
    }

    /** Milliseconds by step, in the order of a start; steps not seen before the answer are left out. */
    Map<String, Double> phases() {
        Map<String, Double> phases = new LinkedHashMap<>();
        for (String step : new String[] {"created_ms", "scheduled_ms", "running_ms", "pod_ready_ms"}) {
            if (millis.containsKey(step)) {
                phases.put(step, millis.get(step));
            }
        }
        return phases;
    }

    @Override
    public void onClose(WatcherException broken) {
        // Steps that were not seen are left out of the result.
    }

    @Override
    public void close() {
        watch.close();
    }
}
