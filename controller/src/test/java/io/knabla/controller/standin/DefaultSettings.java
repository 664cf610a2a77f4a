package io.knabla.controller.standin;

import io.knabla.controller.Settings;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** What a controller goes by where nobody set anything; a test says only what it is about. */
public final class DefaultSettings {
    private DefaultSettings() {}

    public static Settings settings() {
        return with(Map.of());
    }

    /** @param properties such as {@code knabla.namespace} */
    public static Settings with(Map<String, String> properties) {
        return new SmallRyeConfigBuilder()
                .withMapping(Settings.class)
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .withDefaultValue("user.home", "/none")
                .addDefaultInterceptors()
                // Quarkus's own reads a time such as 24h.
                .addDiscoveredConverters()
                .build()
                .getConfigMapping(Settings.class);
    }
}
