package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** One bucket and the way to it. The client is made when first asked for: it costs a start dearly. */
final class S3Bucket implements AutoCloseable {
    /** Bytes that any server copies well within one request's time. */
    private static final long QUICKLY_COPIED = 512L << 20;

    private final S3Location location;
    private final S3Settings settings;
    private volatile boolean seen;
    private S3Client client;
    private S3Client patient;

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
     * For a call that is answered only after the server has copied so many bytes: a client of its own
     * where they are many, as how long to wait for a word is a property of its connections.
     */
    synchronized S3Client client(long copied) {
        if (copied <= QUICKLY_COPIED) {
            return client();
        }
        if (patient == null) {
            patient = S3Clients.make(settings.withSilence());
        }
        return patient;
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
        if (patient != null) {
            patient.close();
            patient = null;
        }
    }
}
