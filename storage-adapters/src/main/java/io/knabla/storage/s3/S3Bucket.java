package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** One bucket and the way to it. The client is made when first asked for: it costs a start dearly. */
final class S3Bucket implements AutoCloseable {
    private static final int CONNECTIONS = 64;

    /**
     * Sends a body without asking first: a round trip less, and a server that refuses a request
     * without having read its body often closes a connection that then looks fit for the next one.
     */
    private static final ExecutionInterceptor PLAIN =
            new ExecutionInterceptor() {
                @Override
                public SdkHttpRequest modifyHttpRequest(
                        Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
                    return context.httpRequest().copy(request -> request.removeHeader("Expect"));
                }
            };

    private final S3Location location;
    private final S3Settings settings;
    private S3Client client;

    S3Bucket(S3Location location, S3Settings settings) {
        this.location = location;
        this.settings = settings;
    }

    S3Location location() {
        return location;
    }

    S3Settings settings() {
        return settings;
    }

    String name() {
        return location.bucket();
    }

    String name(ObjectKey key) {
        return location.name(key);
    }

    synchronized S3Client client() {
        if (client == null) {
            client = make();
        }
        return client;
    }

    private S3Client make() {
        S3ClientBuilder builder =
                S3Client.builder()
                        .httpClientBuilder(
                                ApacheHttpClient.builder()
                                        .maxConnections(CONNECTIONS)
                                        .expectContinueEnabled(false))
                        .overrideConfiguration(all -> all.addExecutionInterceptor(PLAIN))
                        // Few servers but AWS's own take a body that is signed in chunks.
                        .serviceConfiguration(s3 -> s3.chunkedEncodingEnabled(false))
                        .forcePathStyle(settings.pathStyle())
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        settings.endpoint()
                .ifPresent(endpoint -> builder.endpointOverride(endpoint).region(Region.US_EAST_1));
        settings.credentials()
                .ifPresent(
                        given ->
                                builder.credentialsProvider(
                                        StaticCredentialsProvider.create(given)));
        return builder.build();
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
