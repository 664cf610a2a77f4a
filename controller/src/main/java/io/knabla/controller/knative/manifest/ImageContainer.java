package io.knabla.controller.knative.manifest;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.home.StoreAccess;
import io.knabla.runtime.paths.ServerAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds a container of the replica's image, which reads units from the store. It runs without rights and with a
 * read-only root.
 *
 * @param arguments of Java and of the program
 * @param secret name of the Secret with the store's keys; unused if the store needs no keys
 * @param environment besides what every process needs to reach the store
 */
public record ImageContainer(
        String name,
        String image,
        List<String> arguments,
        StoreAccess store,
        String secret,
        Map<String, String> environment) {
    private static final long NOBODY = 65532;

    /** Java's argument that starts a replica of the image. */
    public static String argument(ReplicaArguments arguments) {
        return "@/knabla/" + arguments.file();
    }

    /** A container whose process ends by itself. */
    public ContainerBuilder task() {
        return builder(Map.of());
    }

    /** A container that serves HTTP on the port that Knative names. */
    ContainerBuilder server() {
        return builder(Map.of("KNABLA_HOST", "0.0.0.0"))
                .withReadinessProbe(readiness())
                .withLivenessProbe(liveness());
    }

    private ContainerBuilder builder(Map<String, String> more) {
        Map<String, String> variables = new TreeMap<>(StoreObjects.plain(store));
        variables.put("KNABLA_STORE", store.location());
        variables.putAll(environment);
        variables.putAll(more);
        var builder = new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withArgs(arguments)
                .withEnv(variables.entrySet().stream()
                        .map(entry -> new EnvVar(entry.getKey(), entry.getValue(), null))
                        .toList())
                .withSecurityContext(restricted())
                // The last line of a replica's log says why it terminated.
                .withTerminationMessagePolicy("FallbackToLogsOnError");
        if (!StoreObjects.secrets(store).isEmpty()) {
            builder.addNewEnvFrom().withNewSecretRef(secret, null).endEnvFrom();
        }
        return builder;
    }

    /** Sets no period: Knative's queue-proxy then probes every few milliseconds until the first success. */
    private static Probe readiness() {
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
    private static Probe liveness() {
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

    private static SecurityContext restricted() {
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
