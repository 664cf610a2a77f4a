package io.knabla.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cluster settings that {@code k8s/} sets through environment variables. */
class ClusterSettingsTest {
    @Test
    void readsAnnotationsWithDotsAndSlashesFromOneVariable() {
        Settings settings = of(Map.of(
                "KNABLA_CLUSTER_SERVICE_ACCOUNT_ANNOTATIONS",
                "eks.amazonaws.com/role-arn=arn:aws:iam::111122223333:role/replica;team=a"));

        assertThat(settings.cluster().serviceAccountAnnotations().orElseThrow())
                .isEqualTo(new Settings.Pairs(
                        Map.of("eks.amazonaws.com/role-arn", "arn:aws:iam::111122223333:role/replica", "team", "a")));
    }

    @Test
    void rejectsAMalformedPairWithAnExample() {
        assertThatThrownBy(() -> Settings.Pairs.parse("a=b; arn"))
                .hasMessageStartingWith("'arn' is no key=value; write such as eks.amazonaws.com");
    }

    private static Settings of(Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .withMapping(Settings.class)
                .withSources(new EnvConfigSource(environment, 300))
                .withDefaultValue("user.home", "/home/knabla")
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .build()
                .getConfigMapping(Settings.class);
    }
}
