package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.RevisionSpec;
import io.fabric8.knative.serving.v1.RevisionSpecBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.platform.ReplicaCapacity;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.runtime.paths.ServerAction;
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
    private static final String ARGUMENTS = "@/knabla/replica.args";

    /** For a process that writes to the store, or reads more than units: its AOT cache has the SDK of S3. */
    static final String WRITER_ARGUMENTS = "@/knabla/replica-s3.args";

    private static final long NOBODY = 65532;

    RevisionSpec of(FunctionId function, Version version, CapacitySlot slot, ReplicaSize size) {
        Version sized = sized(version, size);
        boolean inMemory = size.keepsUnitInMemory(version.spec());
        var builder = new RevisionSpecBuilder()
                .withContainerConcurrency(concurrency(sized.spec()))
                // Knative uses it as the pod's termination grace period too.
                .withTimeoutSeconds(timeoutSeconds(sized.spec()))
                .withContainers(container(function, sized, slot, inMemory ? CACHE_IN_MEMORY : ScratchVolumes.CACHE))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false);
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
            builder.withAffinity(SchedulingConstraints.affinity(slot, settings.architecture()));
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
        return new Version(
                version.number(),
                version.spec().withResources(size.resources()),
                version.unit(),
                version.model(),
                version.created());
    }

    private long concurrency(FunctionSpec spec) {
        return Math.min(ReplicaCapacity.of(spec), limits.concurrency());
    }

    static long timeoutSeconds(FunctionSpec spec) {
        return Math.max(1, Math.ceilDiv(spec.timeout().toMillis(), 1000));
    }

    private Container container(FunctionId function, Version version, CapacitySlot slot, String cache) {
        FunctionSpec spec = version.spec();
        boolean gpu = slot.pool() == Pool.gpu;
        var builder = new ContainerBuilder()
                .withName(CONTAINER)
                .withImage(gpu ? settings.gpuImage().orElse(settings.image()) : settings.image())
                // The image's argument file sets the heap as a share of the memory limit.
                .withArgs(spec.writesToStore() ? WRITER_ARGUMENTS : ARGUMENTS)
                .withEnv(environment(function, version, cache))
                .withReadinessProbe(readiness())
                .withLivenessProbe(liveness())
                .withSecurityContext(restrictedSecurityContext())
                // The last line of a replica's log says why it terminated.
                .withTerminationMessagePolicy("FallbackToLogsOnError");
        if (spec.modelInterface().grpc()) {
            builder.addNewPort().withName(H2C).withContainerPort(PORT).endPort();
        }
        resources(builder, spec.resources());
        if (!StoreObjects.secrets(settings.store()).isEmpty()) {
            builder.addNewEnvFrom()
                    .withNewSecretRef(Names.companion(function.name()), null)
                    .endEnvFrom();
        }
        return builder.build();
    }

    private List<EnvVar> environment(FunctionId function, Version version, String cache) {
        Map<String, String> environment = new TreeMap<>(
                ReplicaEnvironment.of(function, version, settings.store().location()));
        environment.putAll(StoreObjects.plain(settings.store()));
        environment.put("KNABLA_HOST", "0.0.0.0");
        environment.put("KNABLA_CACHE", cache);
        return environment.entrySet().stream()
                .map(entry -> new EnvVar(entry.getKey(), entry.getValue(), null))
                .toList();
    }

    /** No CPU limit: starts and requests may use idle CPU of the node. */
    private static void resources(ContainerBuilder builder, FunctionSpec.Resources resources) {
        Map<String, Quantity> requests = new LinkedHashMap<>();
        Map<String, Quantity> limits = new LinkedHashMap<>();
        Optional<Quantity> memory = resources.memoryBytes().map(bytes -> new Quantity(Long.toString(bytes)));
        resources.milliCpu().ifPresent(milli -> requests.put("cpu", new Quantity(milli + "m")));
        memory.ifPresent(quantity -> requests.put("memory", quantity));
        memory.ifPresent(quantity -> limits.put("memory", quantity));
        if (resources.gpu() > 0) {
            Quantity gpus = new Quantity(Integer.toString(resources.gpu()));
            requests.put(ClusterNode.GPU, gpus);
            limits.put(ClusterNode.GPU, gpus);
        }
        builder.withResources(new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build());
    }

    /** Sets no period: Knative's queue-proxy then probes every few milliseconds until the first success. */
    static Probe readiness() {
        return new ProbeBuilder()
                .withSuccessThreshold(1)
                .withNewHttpGet()
                .withPath(ServerAction.READY.path())
                .withNewPort(0)
                .endHttpGet()
                .build();
    }

    /**
     * Restarts a replica whose process hangs or in which a run of the engine is stuck; it answers while it is busy. The
     * numbers are generous: it listens before it loads its model, and a pod that gets little CPU has a minute to answer
     * once.
     */
    static Probe liveness() {
        return new ProbeBuilder()
                .withInitialDelaySeconds(30)
                .withPeriodSeconds(10)
                .withTimeoutSeconds(5)
                .withFailureThreshold(6)
                .withSuccessThreshold(1)
                .withNewHttpGet()
                .withPath(ServerAction.LIVE.path())
                .withNewPort(0)
                .endHttpGet()
                .build();
    }

    static SecurityContext restrictedSecurityContext() {
        return new SecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(NOBODY)
                .withRunAsGroup(NOBODY)
                .withReadOnlyRootFilesystem(true)
                .withAllowPrivilegeEscalation(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }
}
