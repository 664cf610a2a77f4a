package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.verbs.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Applies one file with {@code kubectl} first, then deploys it with {@code knabla}. */
class DeployOverKubectlOnCluster {
    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    @TempDir
    Path folder;

    @Test
    void removesKeyMissingFromFile() throws IOException {
        String namespace = cluster.namespace("keys");
        String file = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: kept, namespace: %s}
                spec:
                  model: s3://nowhere/model.onnx
                  timeout: 10s
                """.formatted(namespace);
        cluster.apply(file + "  scaling: {min: 1}\n").good();
        assertThat(spec(namespace)).contains("min", "10s");

        deploy(file);

        assertThat(spec(namespace)).contains("10s").doesNotContain("min");
        cluster.apply(file + "  scaling: {min: 2}\n").good();
        assertThat(spec(namespace)).contains("min");

        deploy(file);

        assertThat(spec(namespace)).doesNotContain("min");
    }

    private void deploy(String text) throws IOException {
        String context = cluster.kubectl("config", "current-context").good().lastLine();
        Path file = Files.writeString(folder.resolve("function.yaml"), text);
        assertThat(CommandLines.make(_ -> 1)
                        .execute("deploy", "-f", file.toString(), "--wait", "0", "--context", context))
                .isZero();
    }

    private static String spec(String namespace) {
        return cluster.kubectl("get", "fn", "kept", "-n", namespace, "-o", "jsonpath={.spec}")
                .good()
                .out();
    }
}
