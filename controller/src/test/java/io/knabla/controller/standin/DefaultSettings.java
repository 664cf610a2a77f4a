package io.knabla.controller.standin;

import io.knabla.controller.config.Settings;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** Default settings of a controller; a test overrides only what it is about. */
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
                // The converter of Quarkus parses durations such as 24h.
                .addDiscoveredConverters()
                .build()
                .getConfigMapping(Settings.class);
    }
}
