package io.knabla.controller.knative;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.calls.ApiCallCounter;
import io.knabla.controller.knative.client.ClientKeys;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/** Produces the Kubernetes client and the cluster view; on a laptop neither is created. */
@ApplicationScoped
class KnativeBeans {
    /**
     * Retries after 0.1, 0.2, 0.4 and 0.8 s: callers wait longer than that, and a thread blocks meanwhile. Fabric8's
     * default of ten retries takes 19 s.
     */
    private static final int RETRIES = 4;

    /** Connects by the kubeconfig of KUBECONFIG or the home folder, or as the pod's service account. */
    @Produces
    @Singleton
    KubernetesClient client(MeterRegistry meters) {
        var calls = new ApiCallCounter(meters);
        return new KubernetesClientBuilder()
                .withConfig(config())
                .withHttpClientFactory(new JdkHttpClientFactory())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor(ApiCallCounter.NAME, calls))
                .build();
    }

    private static Config config() {
        Config config = ClientKeys.withKeyAlgorithm(Config.autoConfigure(null));
        config.setRequestRetryBackoffLimit(RETRIES);
        return config;
    }

    void close(@Disposes KubernetesClient client) {
        client.close();
    }

    @Produces
    @Singleton
    @ForPlatform(ClusterKind.Knative)
    KnativeView view(KubernetesClient client, Settings settings) {
        return KnativeView.open(client, settings.cluster().namespaces().orElse(List.of()));
    }

    void close(@Disposes @ForPlatform(ClusterKind.Knative) KnativeView view) {
        view.close();
    }
}
