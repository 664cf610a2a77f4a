package io.knabla.controller.cluster.knative;

import java.util.Map;

/**
 * The kind of machine that an image runs on, as the nodes' labels name it. All images of Knabla come from one build, so
 * that a controller's own is its replicas' too.
 *
 * @param name as in {@code amd64}
 */
public record Architecture(String name) {
    private static final String LABEL = "kubernetes.io/arch";
    private static final String SYSTEM_LABEL = "kubernetes.io/os";
    private static final String SYSTEM = "linux";

    /** Where Java's name differs from the one of Go, of which Kubernetes and images make use. */
    private static final Map<String, String> NAMES = Map.of("aarch64", "arm64", "x86_64", "amd64");

    public static Architecture ofThisProcess() {
        String name = System.getProperty("os.arch");
        return new Architecture(NAMES.getOrDefault(name, name));
    }

    /** What every kubelet writes on its node. */
    public Map<String, String> labels() {
        return Map.of(LABEL, name, SYSTEM_LABEL, SYSTEM);
    }
}
