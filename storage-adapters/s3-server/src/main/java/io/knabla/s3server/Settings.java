package io.knabla.s3server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the server is told by its environment: by the very variables that its clients read, so that one
 * Secret serves both sides.
 *
 * @param bucket made at the start
 * @param folder where buckets become folders
 */
record Settings(String accessKey, String secretKey, String bucket, Path folder, int port) {
    private static final Pattern STORE = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(/.*)?");
    private static final int MOST_PORTS = 65_535;

    /** Reads all, and throws one {@link IllegalArgumentException} that names every fault. */
    static Settings parse(Map<String, String> environment) {
        List<String> faults = new ArrayList<>();
        String access = needed(environment, "AWS_ACCESS_KEY_ID", faults);
        String secret = needed(environment, "AWS_SECRET_ACCESS_KEY", faults);
        String store = needed(environment, "KNABLA_STORE", faults);
        Matcher bucket = STORE.matcher(store);
        if (!store.isEmpty() && !bucket.matches()) {
            faults.add("KNABLA_STORE is '%s', allowed is s3://BUCKET or s3://BUCKET/PREFIX".formatted(store));
        }
        int port = port(environment.getOrDefault("PORT", "9000"), faults);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "the S3 server's settings are wrong: " + String.join("; ", faults));
        }
        return new Settings(
                access,
                secret,
                bucket.group(1),
                Path.of(environment.getOrDefault("KNABLA_S3_FOLDER", "/data")),
                port);
    }

    private static String needed(
            Map<String, String> environment, String name, List<String> faults) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            faults.add(name + " is not set");
        }
        return value;
    }

    private static int port(String text, List<String> faults) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= MOST_PORTS) {
                return port;
            }
        } catch (NumberFormatException notOne) {
            // Told below, with what is allowed.
        }
        faults.add("PORT is '%s', allowed are 0 to %d".formatted(text, MOST_PORTS));
        return 0;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "bucket %s in %s, port %d".formatted(bucket, folder, port);
    }
}
