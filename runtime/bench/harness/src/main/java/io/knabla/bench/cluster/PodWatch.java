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
 * When the first new pod reached each step of its start, by this process's clock: the API server's own times have whole
 * seconds.
 */
final class PodWatch implements Watcher<Pod>, AutoCloseable {
    /** Knative's own container, beside the one that serves. */
    static final String BESIDE = "queue-proxy";

    private final long start = System.nanoTime();
    private final Map<String, Double> millis = new ConcurrentHashMap<>();
    private final Watch watch;
    private volatile String pod;

    PodWatch(KubernetesClient client, Subject subject) {
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
                        .filter(status -> !status.getName().equals(BESIDE))
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

    /** Steps in the order of a start; one that was not seen before the answer is left out. */
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
        // What was not seen is left out.
    }

    @Override
    public void close() {
        watch.close();
    }
}
