package io.knabla.controller.cli.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The one place in {@code k8s/} that names images; every overlay reads it. */
final class Kustomization {
    private static final String HEAD =
            """
            # The one place of image names, for every overlay. `./knabla images --push REPOSITORY` writes it; so does
            # `kustomize edit set image` in this folder. `git checkout k8s/images` forgets both.
            apiVersion: kustomize.config.k8s.io/v1alpha1
            kind: Component
            configurations:
              - fields.yaml
            images:
            """;

    private Kustomization() {}

    /** Of a checkout; one without {@code k8s/images} stays without. */
    static void write(Path root, List<Images.Made> pushed) throws IOException {
        Path folder = root.resolve("k8s/images");
        if (Files.isDirectory(folder)) {
            Files.writeString(folder.resolve("kustomization.yaml"), text(pushed));
        }
    }

    static String text(List<Images.Made> pushed) {
        return pushed.stream()
                .flatMap(image -> image.reference().map(to -> entry(image, to)).stream())
                .collect(Collectors.joining("", HEAD, ""));
    }

    private static String entry(Images.Made image, String reference) {
        String place = reference.substring(0, reference.length() - image.tag().length() - 1);
        return """
                 - name: knabla/%s
                   newName: %s
                   newTag: "%s"
               """
                .formatted(image.name(), place, image.tag());
    }
}
