package io.knabla.storage.s3.client;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How to reach S3. What is not given is left to the SDK's own chain: region and credentials from the process's
 * environment, profile, web identity, pod identity or the machine's metadata.
 *
 * @param endpoint any S3-compatible server; empty for AWS
 * @param region what requests are signed for; empty for the SDK's chain
 * @param pathStyle whether the bucket stands in the path, as servers without wildcard names need
 * @param ca PEM file of authorities to trust besides the JVM's own
 */
public record S3Settings(
        Optional<URI> endpoint,
        Optional<String> region,
        boolean pathStyle,
        Optional<Path> ca,
        Encryption encryption,
        Patience patience,
        Identity identity) {
    /** Servers other than AWS's take the name that clients without one are used to send. */
    private static final String ANY_REGION = "us-east-1";

    /**
     * @param environment variables by name, such as {@code KNABLA_S3_ENDPOINT}
     * @throws IllegalArgumentException with every fault at once
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
                Patience.of(values),
                Identity.of(values));
        values.throwFaults();
        return settings;
    }

    /** The same for calls that are answered only after the server has copied a large object itself. */
    S3Settings withSilence() {
        return new S3Settings(endpoint, region, pathStyle, ca, encryption, patience.withSilence(), identity);
    }
}
