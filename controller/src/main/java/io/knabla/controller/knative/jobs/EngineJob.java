package io.knabla.controller.knative.jobs;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.manifest.ImageContainer;
import io.knabla.controller.knative.manifest.ScratchVolumes;
import io.knabla.controller.knative.manifest.StoreObjects;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Manifests of one engine run: the Job, and the Secret with the store's keys. Pure. The Job runs once, has a deadline,
 * and expires by its TTL if this controller crashes before it deletes the Job.
 *
 * @param name of the Job, its pod and its Secret
 * @param account the service account of the pod; empty for the namespace's default
 * @param architecture of the image
 */
record EngineJob(
        String name,
        String namespace,
        String image,
        Optional<String> account,
        Architecture architecture,
        StoreAccess store,
        EngineRequest request) {
    static final String CONTAINER = "engine";

    /** Time to find or provision a node and pull the image. */
    static final Duration START = Duration.ofSeconds(300);

    private static final Duration KEPT = Duration.ofMinutes(10);

    /** Memory request that suits most models; capped by the limit, since the API refuses a higher request. */
    private static final long REQUESTED = 512L << 20;

    /** Keeps autoscalers from evicting the pod for the minutes that it runs. */
    private static final Map<String, String> UNDISTURBED = Map.of(
            "karpenter.sh/do-not-disrupt", "true",
            "cluster-autoscaler.kubernetes.io/safe-to-evict", "false");

    Job job() {
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels())
                .endMetadata()
                .withNewSpec()
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(START.plus(request.limits().time()).toSeconds())
                .withTtlSecondsAfterFinished((int) KEPT.toSeconds())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels())
                .withAnnotations(UNDISTURBED)
                .endMetadata()
                .withSpec(pod())
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Secret owned by the Job; empty if the pod's service account is enough. */
    Optional<Secret> secret(Job created) {
        Map<String, String> secrets = StoreObjects.secrets(store);
        return secrets.isEmpty()
                ? Optional.empty()
                : Optional.of(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .withLabels(labels())
                        .addNewOwnerReference()
                        .withApiVersion(created.getApiVersion())
                        .withKind(created.getKind())
                        .withName(created.getMetadata().getName())
                        .withUid(created.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .withType("Opaque")
                        .withStringData(secrets)
                        .build());
    }

    /** Network policies select the pod by its component. */
    private static Map<String, String> labels() {
        return Map.of(
                "app.kubernetes.io/name", "knabla-check",
                "app.kubernetes.io/component", "check",
                "app.kubernetes.io/managed-by", Labels.MANAGER);
    }

    private PodSpec pod() {
        return new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withNodeSelector(architecture.labels())
                .withServiceAccountName(account.orElse(null))
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(1L)
                .withContainers(container())
                .withVolumes(ScratchVolumes.volumes())
                .build();
    }

    private Container container() {
        long memory = request.limits().memoryBytes();
        return new ImageContainer(
                        CONTAINER,
                        image,
                        List.of(
                                "-Xmx512m",
                                ImageContainer.argument(ReplicaArguments.Writers),
                                request.mode().argument()),
                        store,
                        name,
                        environment())
                .task()
                .withVolumeMounts(ScratchVolumes.mounts())
                .withNewResources()
                .addToRequests("cpu", new Quantity("100m"))
                .addToRequests("memory", bytes(Math.min(REQUESTED, memory)))
                .addToLimits("memory", bytes(memory))
                .endResources()
                .build();
    }

    private static Quantity bytes(long bytes) {
        return new Quantity(Long.toString(bytes));
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        environment.put("KNABLA_CACHE", ScratchVolumes.CACHE);
        environment.put("KNABLA_THREADS", Integer.toString(request.threads()));
        environment.put("KNABLA_BATCH_MAX_SIZE", Integer.toString(request.batchMaxSize()));
        // As long as the limit of the whole run, which is then met first: its message says what to do.
        environment.put(
                "KNABLA_TIMEOUT_MS", Long.toString(request.limits().time().toMillis()));
        request.unit().ifPresent(unit -> environment.put("KNABLA_UNIT", unit.value()));
        return environment;
    }
}
