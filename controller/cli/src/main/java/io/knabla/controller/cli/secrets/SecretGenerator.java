package io.knabla.controller.cli.secrets;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Creates Secrets with random values unless they exist. It never reads one: the API server reports a conflict if a
 * Secret exists, so no permission to read is needed.
 */
public final class SecretGenerator {
    /** Token that callers of the controller must send. */
    public static final String TOKEN = "knabla-token";

    /** Credentials of the S3 server in the overlay {@code local}. */
    public static final String STORE = "knabla-store";

    private static final int BYTES = 32;
    private static final int CONFLICT = 409;

    private final KubernetesClient kubernetes;
    private final RandomGenerator random;

    /** @param random must not be guessable */
    public SecretGenerator(KubernetesClient kubernetes, RandomGenerator random) {
        this.kubernetes = kubernetes;
        this.random = random;
    }

    /** Returns whether it was created; false if one exists, which stays unchanged. */
    public boolean createIfAbsent(String name) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app.kubernetes.io/part-of", "knabla")
                .endMetadata()
                .withStringData(content(name))
                .build();
        try {
            kubernetes.resource(secret).create();
            return true;
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == CONFLICT) {
                return false;
            }
            throw refused;
        }
    }

    private Map<String, String> content(String name) {
        return switch (name) {
            case TOKEN -> Map.of("token", text());
            case STORE ->
                Map.of(
                        "AWS_ACCESS_KEY_ID",
                        text().substring(0, 20).toUpperCase(Locale.ROOT),
                        "AWS_SECRET_ACCESS_KEY",
                        text());
            default ->
                throw new IllegalArgumentException(
                        "'%s' is not a Secret of Knabla; known are %s and %s".formatted(name, TOKEN, STORE));
        };
    }

    private String text() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
