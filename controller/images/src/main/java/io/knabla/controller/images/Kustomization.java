package io.knabla.controller.images;

import io.knabla.controller.cli.verbs.images.ImageBuild.BuiltImage;
import io.knabla.controller.machine.Architecture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes {@code k8s/images/kustomization.yaml}, the only file that names images; every overlay reads it. */
final class Kustomization {
    private static final String HEAD = """
            # The one place of image names, for every overlay. `./knabla images --push REPOSITORY` writes it; so does
            # `kustomize edit set image` in this folder. `git checkout k8s/images` forgets both.
            apiVersion: kustomize.config.k8s.io/v1alpha1
            kind: Component
            configurations:
              - fields.yaml
            images:
            """;

    private static final String TAIL = """
            # They run where this build's JVM does; replicas and their checks, where the controller does.
            patches:
              - target: {kind: Deployment|DaemonSet, name: knabla-.*}
                patch: |-
                  - {op: add, path: /spec/template/spec/nodeSelector/kubernetes.io~1arch, value: %1$s}
              - target: {kind: NodePool, name: knabla-.*}
                patch: |-
                  - {op: test, path: /spec/template/spec/requirements/2/key, value: kubernetes.io/arch}
                  - {op: replace, path: /spec/template/spec/requirements/2/values, value: [%1$s]}
            """;

    /** Only an installation with an image for GPUs may run replicas on them, so no manifest names it. */
    private static final String GPU = """
              - target: {kind: Deployment, name: knabla-controller}
                patch: |-
                  - op: add
                    path: /spec/template/spec/containers/0/env/-
                    value: {name: KNABLA_CLUSTER_GPU_IMAGE, value: "%s"}
            """;

    private Kustomization() {}

    /** Writes the file of a checkout; does nothing if it has no {@code k8s/images}. */
    static void write(Path root, List<BuiltImage> pushed) throws IOException {
        Path folder = root.resolve("k8s/images");
        if (Files.isDirectory(folder)) {
            Files.writeString(
                    folder.resolve("kustomization.yaml"),
                    text(pushed) + TAIL.formatted(Architecture.ofThisProcess().name()) + gpu(pushed));
        }
    }

    static String text(List<BuiltImage> pushed) {
        return pushed.stream()
                .filter(image -> !image.isForGpus())
                .flatMap(image -> image.reference().map(to -> entry(image, to)).stream())
                .collect(Collectors.joining("", HEAD, ""));
    }

    private static String gpu(List<BuiltImage> pushed) {
        return pushed.stream()
                .filter(BuiltImage::isForGpus)
                .flatMap(image -> image.reference().stream())
                .map(GPU::formatted)
                .collect(Collectors.joining());
    }

    private static String entry(BuiltImage image, String reference) {
        return """
                 - name: knabla/%s
                   newName: %s
                   digest: %s
               """.formatted(image.name(), reference.substring(0, reference.indexOf('@')), image.digest());
    }
}
