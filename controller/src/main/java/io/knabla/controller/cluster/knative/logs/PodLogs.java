package io.knabla.controller.cluster.knative.logs;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.On;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.FunctionLogs;
import io.knabla.controller.cluster.knative.KnativeView;
import jakarta.inject.Singleton;

/** Reads the logs of a function's existing pods; keeping those of deleted pods is up to the cluster. */
@Singleton
@On(ClusterKind.Knative)
public final class PodLogs implements FunctionLogs {
    private final KubernetesClient client;
    private final KnativeView view;

    PodLogs(KubernetesClient client, @On(ClusterKind.Knative) KnativeView view) {
        this.client = client;
        this.view = view;
    }

    @Override
    public Reading of(FunctionId function) {
        return new PodReading(client, () -> view.pods(function), System::nanoTime);
    }
}
