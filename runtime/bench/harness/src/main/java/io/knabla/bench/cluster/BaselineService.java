package io.knabla.bench.cluster;

import io.fabric8.knative.client.KnativeClient;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.serving.v1.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.knabla.bench.wire.Call;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/** Runs the reference as a Knative Service with the same resources as Knabla's pod. */
final class BaselineService {
    private static final String NAME = "quarkus-baseline";
    private static final long READY_MINUTES = 5;

    private BaselineService() {}

    /** Creates the service, waits until it is ready and returns its URL. */
    static URI start(TestBed bed, String namespace, String image, ResourceRequirements resources) {
        KnativeClient knative = bed.client().adapt(KnativeClient.class);
        Service wanted = new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(NAME)
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewMetadata()
                .addToAnnotations("autoscaling.knative.dev/window", "6s")
                .addToAnnotations("autoscaling.knative.dev/max-scale", "1")
                .endMetadata()
                .withNewSpec()
                .withContainerConcurrency(4L)
                .addNewContainer()
                .withImage(image)
                .withResources(resources)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        knative.services().inNamespace(namespace).resource(wanted).create();
        Service ready = knative.services()
                .inNamespace(namespace)
                .withName(NAME)
                .waitUntilCondition(BaselineService::isReady, READY_MINUTES, TimeUnit.MINUTES);
        return URI.create(ready.getStatus().getUrl());
    }

    static ClusterFunction subject(String namespace, Call call) {
        return new ClusterFunction("quarkus-ksvc", namespace, NAME, "serving.knative.dev/service", call);
    }

    private static boolean isReady(Service service) {
        return service != null
                && service.getStatus() != null
                && service.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
