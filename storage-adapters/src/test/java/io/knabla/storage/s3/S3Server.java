package io.knabla.storage.s3;

import java.net.URI;
import java.util.Map;

/** A real S3 server that tests may write to. */
public interface S3Server extends AutoCloseable {
    URI endpoint();

    String accessKey();

    String secretKey();

    /** Makes an empty bucket that no other test has. */
    String newBucket();

    /** Whether it can hold both {@code a} and {@code a/b}, and segments longer than 255. */
    default boolean holdsEveryKey() {
        return false;
    }

    /** What a process needs to reach it, as environment variables. */
    default Map<String, String> environment() {
        return Map.of(
                "KNABLA_S3_ENDPOINT", endpoint().toString(),
                "AWS_ACCESS_KEY_ID", accessKey(),
                "AWS_SECRET_ACCESS_KEY", secretKey(),
                "AWS_REGION", "us-east-1",
                "AWS_EC2_METADATA_DISABLED", "true");
    }

    @Override
    void close();
}
