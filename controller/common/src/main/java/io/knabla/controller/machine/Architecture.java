package io.knabla.controller.machine;

import java.util.Map;

/**
 * CPU architecture of an image, named as in the nodes' labels. All images of Knabla come from one build: the
 * controller's architecture is also that of its replicas.
 *
 * @param name as in {@code amd64}
 */
public record Architecture(String name) {
    private static final String LABEL = "kubernetes.io/arch";
    private static final String SYSTEM_LABEL = "kubernetes.io/os";
    private static final String SYSTEM = "linux";

    /** Java's names that differ from Go's, which Kubernetes and images use. */
    private static final Map<String, String> NAMES = Map.of("aarch64", "arm64", "x86_64", "amd64");

    public static Architecture ofThisProcess() {
        String name = System.getProperty("os.arch");
        return new Architecture(NAMES.getOrDefault(name, name));
    }

    /** Labels that every kubelet sets on its node. */
    public Map<String, String> labels() {
        return Map.of(LABEL, name, SYSTEM_LABEL, SYSTEM);
    }
}
