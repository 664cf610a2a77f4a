package io.knabla.controller.knative.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.knative.serving.v1.ConfigurationBuilder;
import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.RevisionSpecBuilder;
import io.fabric8.knative.serving.v1.RouteBuilder;
import io.fabric8.knative.serving.v1.TrafficTargetBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.knative.resource.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the objects of a namespace's wake pool: a Configuration with one pod, and a Route that keeps it running. */
public record PoolObjects(PodSettings settings, Size size) {
    public static final String NAME = "knabla-pool";

    /** Of the front, which has no model, and what waits in the pool for a function. */
    private static final long FRONT_BYTES = 256L << 20;

    private static final long MIB = 1L << 20;
    private static final String SCALE = "autoscaling.knative.dev/";

    /** Knative's default: its configuration may allow no more. */
    private static final long TIMEOUT_SECONDS = 300;

    /** Of a function in the pool, whose front waits 5 s more before it answers in place of it. */
    static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(TIMEOUT_SECONDS - 5);

    /**
     * Memory of a pool.
     *
     * @param bytes of its pod
     * @param memberBytes largest memory of a function in it
     * @param spares processes that wait for a function
     */
    public record Size(long bytes, long memberBytes, int spares) {
        /** Heap of a member: half of its memory is for the engine. */
        long heapMebibytes() {
            return Math.clamp(memberBytes / 4 / MIB, 32, 1 << 15);
        }

        /** The largest body that a member can read. */
        public long maxBodyBytes() {
            return heapMebibytes() * MIB / 4;
        }
    }

    public List<HasMetadata> of(String namespace) {
        List<HasMetadata> objects = new ArrayList<>();
        if (!settings.serviceAccountAnnotations().isEmpty()) {
            objects.add(new ServiceAccountBuilder()
                    .withMetadata(metadata(namespace))
                    .editMetadata()
                    .withAnnotations(new TreeMap<>(settings.serviceAccountAnnotations()))
                    .endMetadata()
                    .withAutomountServiceAccountToken(false)
                    .build());
        }
        Map<String, String> secrets = StoreObjects.secrets(settings.store());
        if (!secrets.isEmpty()) {
            secrets.replaceAll((_, value) -> Base64.getEncoder().encodeToString(value.getBytes(UTF_8)));
            objects.add(new SecretBuilder()
                    .withMetadata(metadata(namespace))
                    .withType("Opaque")
                    .withData(secrets)
                    .build());
        }
        objects.add(new ConfigurationBuilder()
                .withMetadata(metadata(namespace))
                .withNewSpec()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels(Labels.WAKE_POOL, "true")
                .addToAnnotations(SCALE + "class", "kpa.autoscaling.knative.dev")
                .addToAnnotations(SCALE + "min-scale", "1")
                .addToAnnotations(SCALE + "max-scale", "1")
                .endMetadata()
                .withSpec(pod(namespace))
                .endTemplate()
                .endSpec()
                .build());
        objects.add(new RouteBuilder()
                .withMetadata(metadata(namespace))
                .editMetadata()
                .addToLabels("networking.knative.dev/visibility", "cluster-local")
                .endMetadata()
                .withNewSpec()
                .withTraffic(new TrafficTargetBuilder()
                        .withConfigurationName(NAME)
                        .withLatestRevision(true)
                        .withPercent(100L)
                        .build())
                .endSpec()
                .build());
        return objects;
    }

    private static ObjectMeta metadata(String namespace) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(NAME)
                .addToLabels(Labels.WAKE_POOL, "true")
                .addToLabels("app.kubernetes.io/managed-by", Labels.MANAGER)
                .build();
    }

    private RevisionSpec pod(String namespace) {
        var pod = new RevisionSpecBuilder()
                // Its members limit what runs at once.
                .withContainerConcurrency(0L)
                .withTimeoutSeconds(TIMEOUT_SECONDS)
                .withContainers(container(namespace))
                .withVolumes(ScratchVolumes.volumes())
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false);
        if (!settings.serviceAccountAnnotations().isEmpty()) {
            pod.withServiceAccountName(NAME);
        }
        return pod.build();
    }

    private Container container(String namespace) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("KNABLA_CACHE", ScratchVolumes.CACHE);
        environment.put("KNABLA_POOL_NAMESPACE", namespace);
        environment.put("KNABLA_POOL_MEMORY_MB", Long.toString((size.bytes() - FRONT_BYTES) / MIB));
        environment.put("KNABLA_POOL_HEAP_MB", Long.toString(size.heapMebibytes()));
        environment.put("KNABLA_POOL_SPARES", Integer.toString(size.spares()));
        var memory = new Quantity(Long.toString(size.bytes()));
        var container = new ImageContainer(
                PodTemplate.CONTAINER,
                settings.image(),
                List.of("-Xmx96m", ImageContainer.argument(ReplicaArguments.Writers), "pool"),
                settings.store(),
                NAME,
                environment);
        return container
                .server()
                .withVolumeMounts(ScratchVolumes.mounts())
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .addToRequests("memory", memory)
                .addToLimits("memory", memory)
                .endResources()
                .build();
    }
}
