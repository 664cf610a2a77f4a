package io.knabla.storage.s3;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * How to reach S3. Region and credentials are the SDK's own settings ({@code AWS_*}, profiles, roles).
 *
 * @param endpoint any S3-compatible server; empty for AWS
 * @param pathStyle whether the bucket stands in the path, as servers without wildcard names need
 * @param credentials given ones; empty for the SDK's chain
 * @param ca PEM file of the authority to trust besides the JVM's own
 */
record S3Settings(
        Optional<URI> endpoint,
        boolean pathStyle,
        Optional<Path> ca,
        Optional<AwsCredentials> credentials) {

    /** @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT} */
    static S3Settings of(Map<String, String> environment) {
        Optional<URI> endpoint = text(environment, "KNABLA_S3_ENDPOINT").map(URI::create);
        String addressing = text(environment, "KNABLA_S3_ADDRESSING").orElse("auto");
        return new S3Settings(
                endpoint,
                switch (addressing) {
                    case "path" -> true;
                    case "virtual" -> false;
                    case "auto" -> endpoint.isPresent();
                    default ->
                            throw new IllegalArgumentException(
                                    "KNABLA_S3_ADDRESSING is '%s', allowed are auto, path, virtual"
                                            .formatted(addressing));
                },
                text(environment, "KNABLA_S3_CA").map(Path::of),
                credentials(environment));
    }

    private static Optional<AwsCredentials> credentials(Map<String, String> environment) {
        return text(environment, "AWS_ACCESS_KEY_ID")
                .map(
                        id -> {
                            String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
                            return text(environment, "AWS_SESSION_TOKEN")
                                    .<AwsCredentials>map(
                                            token ->
                                                    AwsSessionCredentials.create(id, secret, token))
                                    .orElseGet(() -> AwsBasicCredentials.create(id, secret));
                        });
    }

    private static Optional<String> text(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
