package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.RevisionSpecBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.GpuShare;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Builds the pod template of a version in a slot. Its content determines the revision's name, so it must not depend on
 * anything that changes without a deploy: neither on the cluster's nodes nor on scale bounds.
 */
record PodTemplate(PodSettings settings, Features features, Limits limits) {
    /** Name by which Knative knows that a port is HTTP/2 without TLS; it forwards gRPC to no other. */
    private static final String H2C = "h2c";

    /** Knative's default, which it tells the container as {@code PORT}. */
    private static final int PORT = 8080;

    static final String CONTAINER = "replica";
    private static final String CACHE_IN_MEMORY = "/dev/shm/knabla";
    private static final String TMP_IN_MEMORY = "/dev/shm";

    RevisionSpec of(FunctionId function, Version version, CapacitySlot slot, ReplicaSize size) {
        Version sized = sized(version, size);
        boolean inMemory = size.keepsUnitInMemory(version.spec());
        var builder = new RevisionSpecBuilder()
                .withContainerConcurrency(concurrency(sized.spec()))
                // Knative uses it as the pod's termination grace period too.
                .withTimeoutSeconds(answerSeconds(sized.spec()))
                .withContainers(container(function, sized, slot, inMemory ? CACHE_IN_MEMORY : ScratchVolumes.CACHE))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false);
        if (sized.spec().streamsAnswers()) {
            builder.withResponseStartTimeoutSeconds(seconds(sized.spec().timeout()))
                    .withIdleTimeoutSeconds(idleSeconds(sized.spec()));
        }
        if (inMemory) {
            // The engine's Java binding makes a folder there at its start.
            builder.editFirstContainer()
                    .addToArgs(0, "-Djava.io.tmpdir=" + TMP_IN_MEMORY)
                    .endContainer();
        } else {
            builder.withVolumes(ScratchVolumes.volumes())
                    .editFirstContainer()
                    .withVolumeMounts(ScratchVolumes.mounts())
                    .endContainer();
        }
        if (!settings.serviceAccountAnnotations().isEmpty()) {
            builder.withServiceAccountName(Names.companion(function.name()));
        }
        if (features.has(Feature.Affinity)) {
            builder.withAffinity(SchedulingConstraints.affinity(slot, settings.architecture(), parts(size.gpu())));
        }
        if (features.has(Feature.Tolerations)) {
            builder.withTolerations(SchedulingConstraints.tolerations(slot));
        }
        if (features.has(Feature.TopologySpread)) {
            builder.withTopologySpreadConstraints(
                    SchedulingConstraints.overZones(Templates.identity(function, version.number(), slot)));
        }
        if (features.has(Feature.PriorityClass)) {
            builder.withPriorityClassName(settings.priorityClass().orElse(null));
        }
        return builder.build();
    }

    /** Replaces {@code auto} by the container's actual resources: the replica's environment must match them. */
    private static Version sized(Version version, ReplicaSize size) {
        return version.withSpec(version.spec().withResources(size.resources()));
    }

    private long concurrency(FunctionSpec spec) {
        return Math.min(ReplicaCapacity.of(spec), limits.concurrency());
    }

    /** A stream may take as long as this cluster lets any answer take. */
    private long answerSeconds(FunctionSpec spec) {
        long timeout = seconds(spec.timeout());
        return spec.streamsAnswers() ? Math.max(timeout, limits.timeoutSeconds()) : timeout;
    }

    /**
     * Knative counts silence from the request's arrival on, so a shorter limit would end requests before their texts
     * begin.
     */
    private static long idleSeconds(FunctionSpec spec) {
        return Math.max(seconds(spec.timeout()), seconds(spec.streamIdleTimeout()));
    }

    /** Whole seconds, at least one: Knative's unit. */
    static long seconds(Duration time) {
        return Math.max(1, Math.ceilDiv(time.toMillis(), 1000));
    }

    private Container container(FunctionId function, Version version, CapacitySlot slot, String cache) {
        FunctionSpec spec = version.spec();
        var container = new ImageContainer(
                CONTAINER,
                settings.image(slot.pool()).orElseThrow(),
                // The image's argument file sets the heap as a share of the memory limit.
                List.of(ImageContainer.argument(ReplicaArguments.of(spec))),
                settings.store(),
                Names.companion(function.name()),
                environment(function, version, slot, cache));
        ContainerBuilder builder = container.server();
        if (spec.modelInterface().grpc()) {
            builder.addNewPort().withName(H2C).withContainerPort(PORT).endPort();
        }
        resources(builder, spec.resources(), settings.gpus());
        return builder.build();
    }

    private Map<String, String> environment(FunctionId function, Version version, CapacitySlot slot, String cache) {
        Map<String, String> environment = new TreeMap<>(
                ReplicaEnvironment.of(function, version, settings.store().location()));
        environment.putAll(PrefillPods.environment(function, version.spec()));
        environment.put("KNABLA_CACHE", cache);
        environment.putAll(ReplicaEnvironment.ofDevice(
                slot.pool(), parts(version.spec().resources().gpu())));
        return environment;
    }

    private int parts(double gpu) {
        return settings.gpus().map(pods -> pods.parts(gpu)).orElse(1);
    }

    /** No CPU limit: starts and requests may use idle CPU of the node. */
    private static void resources(
            ContainerBuilder builder, FunctionSpec.Resources resources, Optional<GpuPods> gpuPods) {
        Map<String, Quantity> requests = new LinkedHashMap<>();
        Map<String, Quantity> limits = new LinkedHashMap<>();
        Optional<Quantity> memory = resources.memoryBytes().map(bytes -> new Quantity(Long.toString(bytes)));
        resources.milliCpu().ifPresent(milli -> requests.put("cpu", new Quantity(milli + "m")));
        memory.ifPresent(quantity -> requests.put("memory", quantity));
        memory.ifPresent(quantity -> limits.put("memory", quantity));
        if (resources.gpu() > 0) {
            // Extended resources are whole numbers: a share is one of the GPUs that the device plugin makes of one.
            Quantity gpus = new Quantity(GpuShare.isShare(resources.gpu()) ? "1" : GpuShare.text(resources.gpu()));
            String resource = gpuPods.orElseThrow().resource(resources.gpu());
            requests.put(resource, gpus);
            limits.put(resource, gpus);
        }
        builder.withResources(new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build());
    }
}
