package io.knabla.storage.s3.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the connection to S3. For region and credentials that are not set, the SDK's chain applies: environment,
 * profile, web identity, pod identity, or instance metadata.
 *
 * @param endpoint any S3-compatible server; empty for AWS
 * @param region region to sign requests for; empty for the SDK's chain
 * @param pathStyle whether the bucket is part of the path, as servers without wildcard DNS need
 * @param ca PEM file of certificate authorities to trust in addition to the JVM's
 */
public record S3Settings(
        Optional<URI> endpoint,
        Optional<String> region,
        boolean pathStyle,
        Optional<Path> ca,
        Encryption encryption,
        Timeouts timeouts,
        Identity identity) {
    /** Servers other than AWS accept the default region of most clients. */
    private static final String ANY_REGION = "us-east-1";

    /**
     * @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT}
     * @throws IllegalArgumentException that lists every fault
     */
    public static S3Settings of(Map<String, String> environment) {
        var values = new SettingValues(environment);
        Optional<URI> endpoint = values.address("KNABLA_S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL");
        String addressing = values.choice("KNABLA_S3_ADDRESSING", "auto", "path", "virtual");
        var settings = new S3Settings(
                endpoint,
                values.text("AWS_REGION")
                        .or(() -> values.text("AWS_DEFAULT_REGION"))
                        .or(() -> endpoint.map(_ -> ANY_REGION)),
                addressing.equals("path") || addressing.equals("auto") && endpoint.isPresent(),
                values.certificates("KNABLA_S3_CA"),
                Encryption.of(values),
                Timeouts.of(values),
                Identity.of(values));
        values.throwFaults();
        return settings;
    }

    /**
     * Returns these settings with longer timeouts, for calls that respond only after the server has copied a large
     * object.
     */
    S3Settings forServerCopy() {
        return new S3Settings(endpoint, region, pathStyle, ca, encryption, timeouts.forServerCopy(), identity);
    }
}
