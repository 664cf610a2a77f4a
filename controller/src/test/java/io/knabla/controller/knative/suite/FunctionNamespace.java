package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes a namespace what {@code k8s/components/function-namespace} makes of it, by a kustomization of one's own. */
final class FunctionNamespace {
    private static final Path COMPONENT = TestCluster.ROOT.resolve("k8s/components/function-namespace");

    /** Kustomize takes no absolute paths, and none that lead through links. */
    private static final Path FOLDERS = TestCluster.ROOT.resolve("controller/target");

    private FunctionNamespace() {}

    static void apply(TestCluster cluster, String namespace) throws IOException {
        Path folder = Files.createTempDirectory(FOLDERS, "function-namespace");
        Files.writeString(folder.resolve("kustomization.yaml"), """
                namespace: %s
                components: [%s]
                """.formatted(namespace, folder.relativize(COMPONENT)));
        cluster.kubectl("apply", "-k", folder.toString()).good();
    }
}
