package io.knabla.controller.knative.suite;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Somebody who may edit a namespace, and perhaps use the controller, as {@code k8s/README.md} gives rights to people;
 * no administrator.
 *
 * @param kubeconfig with no other user than this one
 */
record Developer(TestCluster cluster, String namespace, Path kubeconfig) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NAME = "developer";

    static Developer of(TestCluster cluster, String namespace, Path folder) throws IOException {
        cluster.kubectl("-n", namespace, "create", "serviceaccount", NAME).good();
        bind(cluster, namespace, namespace, "--clusterrole=edit");
        String token =
                cluster.kubectl("-n", namespace, "create", "token", NAME).good().out();
        ObjectNode config = (ObjectNode)
                JSON.readTree(cluster.kubectl("config", "view", "--minify", "--flatten", "--raw", "-o", "json")
                        .good()
                        .out());
        ((ObjectNode) config.withArray("users").get(0)).putObject("user").put("token", token.strip());
        Path file = folder.resolve(namespace + ".kubeconfig");
        return new Developer(cluster, namespace, Files.writeString(file, config.toString()));
    }

    /** Goes with the controller's namespace. */
    void mayUseTheController() {
        bind(cluster, namespace, "knabla-system", "--role=knabla-user");
    }

    private static void bind(TestCluster cluster, String of, String in, String role) {
        cluster.kubectl("-n", in, "create", "rolebinding", of, role, "--serviceaccount=%s:%s".formatted(of, NAME))
                .good();
    }
}
