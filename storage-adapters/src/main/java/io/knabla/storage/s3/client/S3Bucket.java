package io.knabla.storage.s3.client;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.faults.S3Location;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** One bucket, with its settings and the clients to reach it. */
public final class S3Bucket implements AutoCloseable {
    /** Bytes that any server copies well within the request timeout. */
    private static final long QUICKLY_COPIED = 512L << 20;

    private final S3Location location;
    private final S3Settings settings;
    private final LazyClient client;

    /** Client with long timeouts: the socket timeout belongs to a client, not to a request. */
    private final LazyClient copyClient;

    private volatile boolean seen;

    public S3Bucket(S3Location location, S3Settings settings) {
        this.location = location;
        this.settings = settings;
        this.client = new LazyClient(settings);
        this.copyClient = new LazyClient(settings.forServerCopy());
    }

    public S3Location location() {
        return location;
    }

    public S3Settings settings() {
        return settings;
    }

    public String name() {
        return location.bucket();
    }

    public String name(ObjectKey key) {
        return location.name(key);
    }

    public S3Client client() {
        return client.get();
    }

    /** Returns the client for a call that responds only after the server has copied this many bytes. */
    public S3Client client(long copied) {
        return copied <= QUICKLY_COPIED ? client() : copyClient.get();
    }

    /**
     * Throws if the bucket does not exist. A HEAD response has no body that distinguishes an absent object from an
     * absent bucket, so the first 404 is checked.
     *
     * @throws NoSuchBucketException if there is no such bucket
     */
    public void requireExists() {
        if (seen) {
            return;
        }
        try {
            client().headBucket(head -> head.bucket(name()));
        } catch (NoSuchBucketException absent) {
            throw absent;
        } catch (SdkException unsure) {
            // Without permission to check, assume that the object is absent.
        }
        seen = true;
    }

    @Override
    public void close() {
        client.close();
        copyClient.close();
    }
}
