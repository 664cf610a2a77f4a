package io.knabla.controller.cluster.knative.logs;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.On;
import io.knabla.controller.Settings.ClusterKind;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.cluster.FunctionLogs;
import io.knabla.controller.cluster.knative.KnativeView;
import jakarta.inject.Singleton;

/** The logs of the pods that are there; those of pods that are gone are the cluster's to keep. */
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
