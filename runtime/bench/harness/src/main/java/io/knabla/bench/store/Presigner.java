package io.knabla.bench.store;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Creates presigned S3 URLs; the minimal client then spends no time on signatures. */
final class Presigner implements AutoCloseable {
    private static final Duration LONG_ENOUGH = Duration.ofHours(1);

    private final S3Presigner presigner;
    private final String bucket;

    /** @param environment environment variables of {@code S3Server.environment} */
    Presigner(Map<String, String> environment, String bucket) {
        this.bucket = bucket;
        presigner = S3Presigner.builder()
                .endpointOverride(URI.create(environment.get("KNABLA_S3_ENDPOINT")))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                        environment.get("AWS_ACCESS_KEY_ID"), environment.get("AWS_SECRET_ACCESS_KEY"))))
                .serviceConfiguration(
                        S3Configuration.builder().pathStyleAccessEnabled(true).build())
                .build();
    }

    URI get(String key) {
        return URI.create(presigner
                .presignGetObject(sign -> sign.signatureDuration(LONG_ENOUGH)
                        .getObjectRequest(o -> o.bucket(bucket).key(key)))
                .url()
                .toString());
    }

    URI put(String key) {
        return URI.create(presigner
                .presignPutObject(sign -> sign.signatureDuration(LONG_ENOUGH)
                        .putObjectRequest(o -> o.bucket(bucket).key(key)))
                .url()
                .toString());
    }

    @Override
    public void close() {
        presigner.close();
    }
}
