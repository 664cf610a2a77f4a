package io.knabla.storage.s3;

import java.net.URI;
import java.util.Map;

/** An S3 server for tests. */
public interface S3Server extends AutoCloseable {
    URI endpoint();

    String accessKey();

    String secretKey();

    /** Creates an empty bucket with a new name. */
    String newBucket();

    /** Returns whether it can store both {@code a} and {@code a/b}, and key segments longer than 255. */
    default boolean holdsEveryKey() {
        return false;
    }

    /** Returns the environment variables that a process needs to reach it. */
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
