package io.knabla.s3server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Settings of the server from its environment. The access key variables have the names that clients read, so one Secret
 * serves both.
 *
 * @param buckets created at the start
 * @param folder parent of the bucket folders
 */
record Settings(String accessKey, String secretKey, List<String> buckets, Path folder, int port) {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final int MOST_PORTS = 65_535;

    /** Reads all settings; throws one {@link IllegalArgumentException} that lists every fault. */
    static Settings parse(Map<String, String> environment) {
        List<String> faults = new ArrayList<>();
        var settings = new Settings(
                needed(environment, "AWS_ACCESS_KEY_ID", faults),
                needed(environment, "AWS_SECRET_ACCESS_KEY", faults),
                buckets(needed(environment, "KNABLA_S3_BUCKETS", faults), faults),
                Path.of(environment.getOrDefault("KNABLA_S3_FOLDER", "/data")),
                port(environment.getOrDefault("PORT", "8080"), faults));
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("the S3 server's settings are wrong: " + String.join("; ", faults));
        }
        return settings;
    }

    private static String needed(Map<String, String> environment, String name, List<String> faults) {
        String value = environment.getOrDefault(name, "").strip();
        if (value.isEmpty()) {
            faults.add(name + " is not set");
        }
        return value;
    }

    private static List<String> buckets(String text, List<String> faults) {
        List<String> names = Pattern.compile("\\s*,\\s*").splitAsStream(text).toList();
        names.stream()
                .filter(name -> !name.isEmpty() && !BUCKET.matcher(name).matches())
                .forEach(name ->
                        faults.add("KNABLA_S3_BUCKETS names '%s', allowed are 3 to 63 of a-z 0-9 . -".formatted(name)));
        return names;
    }

    private static int port(String text, List<String> faults) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= MOST_PORTS) {
                return port;
            }
        } catch (NumberFormatException notOne) {
            // Reported below, with the allowed range.
        }
        faults.add("PORT is '%s', allowed are 0 to %d".formatted(text, MOST_PORTS));
        return 0;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "buckets %s in %s, port %d".formatted(buckets, folder, port);
    }
}
