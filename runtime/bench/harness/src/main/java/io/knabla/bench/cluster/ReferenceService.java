package io.knabla.bench.cluster;

import io.fabric8.knative.client.KnativeClient;
import io.fabric8.knative.serving.v1.Service;
import io.fabric8.knative.serving.v1.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.knabla.bench.wire.Call;
import java.net.URI;
import java.util.concurrent.TimeUnit;

/**
 * A reference that runs as a Knative Service with the same resources as Knabla's pod.
 *
 * @param name of the service
 */
record ReferenceService(TestBed bed, String namespace, String name) {
    private static final long READY_MINUTES = 5;

    /** Creates the service, waits until it is ready and returns its URL. */
    URI start(String image, ResourceRequirements resources) {
        KnativeClient knative = bed.client().adapt(KnativeClient.class);
        Service wanted = new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
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
                .withName(name)
                .waitUntilCondition(ReferenceService::isReady, READY_MINUTES, TimeUnit.MINUTES);
        return URI.create(ready.getStatus().getUrl());
    }

    KnativeStart wake(Call call) {
        return new KnativeStart(
                bed.client(), new ClusterFunction(name, namespace, name, "serving.knative.dev/service", call));
    }

    private static boolean isReady(Service service) {
        return service != null
                && service.getStatus() != null
                && service.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
