package io.knabla.storage.settings;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Derives the spellings of a setting from its key. The key {@code s3.call-timeout} becomes the path
 * {@code s3.callTimeout} in {@code config.yaml}, the variable {@code KNABLA_S3_CALL_TIMEOUT}, and the property
 * {@code knabla.s3.call-timeout}.
 */
public final class SettingNames {
    private static final String PROPERTIES = "knabla.";

    private SettingNames() {}

    /** The key of a path in {@code config.yaml}; a list's element is {@code nodes[0]} in both. */
    public static String key(String path) {
        return path.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    public static String property(String key) {
        return PROPERTIES + key;
    }

    public static String variable(String key) {
        return key.equals("s3.region")
                // AWS's own tools read this one.
                ? "AWS_REGION"
                : "KNABLA_" + key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /** Properties of Knabla, such as the flags of {@code up}, by variable; omits all others. */
    public static Map<String, String> byVariable(Map<String, String> properties) {
        Map<String, String> settings = new TreeMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith(PROPERTIES)) {
                settings.put(variable(name.substring(PROPERTIES.length())), value);
            }
        });
        return settings;
    }
}
