package io.knabla.controller.knative.logs;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.platform.FunctionLogs;
import jakarta.inject.Singleton;

/** Reads the logs of a function's existing pods; keeping those of deleted pods is up to the cluster. */
@Singleton
@ForPlatform(ClusterKind.Knative)
public final class PodLogs implements FunctionLogs {
    private final KubernetesClient client;
    private final KnativeView view;

    PodLogs(KubernetesClient client, @ForPlatform(ClusterKind.Knative) KnativeView view) {
        this.client = client;
        this.view = view;
    }

    @Override
    public Cursor open(FunctionId function) {
        return new PodLogReader(client, () -> view.pods(function), System::nanoTime);
    }
}
