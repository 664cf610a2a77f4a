package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** One bucket and the way to it. The client is made when first asked for: it costs a start dearly. */
final class S3Bucket implements AutoCloseable {
    private final S3Location location;
    private final S3Settings settings;
    private volatile boolean seen;
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
            client = S3Clients.make(settings);
        }
        return client;
    }

    /**
     * An answer to HEAD has no body that could say whether the object is absent or the whole bucket,
     * so the first absence is looked into.
     *
     * @throws NoSuchBucketException when there is no such bucket
     */
    void mustExist() {
        if (seen) {
            return;
        }
        try {
            client().headBucket(head -> head.bucket(name()));
        } catch (NoSuchBucketException absent) {
            throw absent;
        } catch (SdkException unsure) {
            // Without the right to ask, an absent object is the likelier reading.
        }
        seen = true;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
