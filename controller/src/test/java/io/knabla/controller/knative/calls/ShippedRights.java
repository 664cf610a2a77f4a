package io.knabla.controller.knative.calls;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rights that {@code k8s/} gives the controller's account, those of components that overlays choose from included.
 */
final class ShippedRights {
    private static final Path FOLDER = Path.of("..", "k8s");

    static final Set<ApiCall> ALL = Rights.granted(objects(), "knabla-controller");

    private ShippedRights() {}

    private static List<HasMetadata> objects() {
        try (Stream<Path> base = Files.list(FOLDER.resolve("base/rbac"))) {
            Stream<Path> components = Stream.of("keys", "roles")
                    .map(name -> FOLDER.resolve("components").resolve(name + "/rbac.yaml"));
            return Stream.concat(base, components)
                    .flatMap(ShippedRights::documents)
                    .map(yaml -> new KubernetesSerialization().<HasMetadata>unmarshal(yaml))
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException("k8s/ is not beside this module", missing);
        }
    }

    private static Stream<String> documents(Path file) {
        try {
            return Stream.of(Files.readString(file).split("(?m)^---$"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file.toString(), unreadable);
        }
    }
}
