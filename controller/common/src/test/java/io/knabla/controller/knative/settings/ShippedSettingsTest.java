package io.knabla.controller.knative.settings;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the shipped ConfigMap enables exactly the features that Knabla uses. */
class ShippedSettingsTest {
    private static final Path FEATURES = Path.of("..", "..", "k8s", "knative-settings", "features.yaml");

    @Test
    void enablesExactlyTheUsedFeatures() throws IOException {
        ConfigMap shipped = Serialization.unmarshal(Files.readString(FEATURES), ConfigMap.class);

        assertThat(shipped.getMetadata().getName()).isEqualTo(Feature.CONFIG_MAP);
        assertThat(shipped.getData())
                .isEqualTo(Stream.of(Feature.values()).collect(toMap(Feature::key, _ -> "enabled")));
    }
}
