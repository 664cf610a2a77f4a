package io.knabla.bench.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.wire.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Deploys a function to the cluster with {@code ./knabla deploy}. */
public record KnablaFunction(Distribution distribution, TestBed bed, String namespace, String name) {
    private static final String LABEL = "knabla.dev/function";
    private static final String FUNCTION_YAML = """
            apiVersion: knabla.dev/v1alpha1
            kind: Function
            metadata: {name: %s, namespace: %s}
            spec: {
              model: model.onnx,
              placement: {capacity: OnDemand},
              %s}
            """;

    /**
     * Deploys the model and returns the function's URL when it is ready.
     *
     * @param spec resources and more fields of {@code spec}, as YAML between braces
     */
    public URI deploy(BenchModel model, String spec) {
        Path folder = Folders.temporary();
        try {
            Path yaml = folder.resolve("function.yaml");
            Files.copy(model.file(), folder.resolve("model.onnx"));
            Files.writeString(yaml, FUNCTION_YAML.formatted(name, namespace, spec));
            String context = bed.client().getConfiguration().getCurrentContext().getName();
            var deploy = new ProcessBuilder(
                            distribution.root().resolve("knabla").toString(),
                            "deploy",
                            "-f",
                            yaml.toString(),
                            "--context",
                            context,
                            "-o",
                            "json")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String said = new String(deploy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (deploy.waitFor() != 0) {
                throw new IllegalStateException("./knabla deploy failed, see above");
            }
            return URI.create(new ObjectMapper().readTree(said).path("url").asText());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot deploy to the cluster", failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a deploy", stopped);
        } finally {
            Folders.delete(folder);
        }
    }

    /** Path of its inference requests. */
    public String path() {
        return "/v2/models/" + name + "/infer";
    }

    /** Resources of its pod; a pod must exist. */
    ResourceRequirements resources() {
        List<Pod> pods = bed.client()
                .pods()
                .inNamespace(namespace)
                .withLabel(LABEL, name)
                .list()
                .getItems();
        return pods.getFirst().getSpec().getContainers().stream()
                .filter(container -> !container.getName().equals(PodWatch.QUEUE_PROXY))
                .findFirst()
                .orElseThrow()
                .getResources();
    }

    ClusterFunction subject(Call call) {
        return new ClusterFunction("knabla", namespace, name, LABEL, call);
    }
}
