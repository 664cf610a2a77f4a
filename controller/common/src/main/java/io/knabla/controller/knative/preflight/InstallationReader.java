package io.knabla.controller.knative.preflight;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.knative.settings.PatchCommands;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Reads an {@link Installation} from the API server: three ConfigMaps by name, nothing else. */
public final class InstallationReader {
    private static final String VERSION = "app.kubernetes.io/version";

    private InstallationReader() {}

    /** @throws io.fabric8.kubernetes.client.KubernetesClientException also if reading is forbidden */
    public static Installation read(KubernetesClient client) {
        Map<String, Map<String, String>> settings = new TreeMap<>();
        String version = "";
        for (String name : Installation.CONFIG_MAPS) {
            ConfigMap there = client.configMaps()
                    .inNamespace(PatchCommands.NAMESPACE)
                    .withName(name)
                    .get();
            if (there != null) {
                settings.put(name, Objects.requireNonNullElse(there.getData(), Map.of()));
                version = version(there);
            }
        }
        return new Installation(version, settings);
    }

    /** Returns the release label of one of Knative's ConfigMaps; "" if it has none. */
    public static String version(ConfigMap map) {
        return Optional.ofNullable(map.getMetadata().getLabels())
                .map(labels -> labels.get(VERSION))
                .orElse("");
    }
}
