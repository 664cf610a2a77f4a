package io.knabla.storage.s3.client;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.s3.faults.S3Location;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** One bucket and the way to it. */
public final class S3Bucket implements AutoCloseable {
    /** Bytes that any server copies well within one request's time. */
    private static final long QUICKLY_COPIED = 512L << 20;

    private final S3Location location;
    private final S3Settings settings;
    private final LateClient client;

    /** Waits long for a word: that is a property of a client's connections, not of a request. */
    private final LateClient patient;

    private volatile boolean seen;

    public S3Bucket(S3Location location, S3Settings settings) {
        this.location = location;
        this.settings = settings;
        this.client = new LateClient(settings);
        this.patient = new LateClient(settings.withSilence());
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

    /** For a call that is answered only after the server has copied so many bytes. */
    public S3Client client(long copied) {
        return copied <= QUICKLY_COPIED ? client() : patient.get();
    }

    /**
     * An answer to HEAD has no body that could say whether the object is absent or the whole bucket, so the first
     * absence is looked into.
     *
     * @throws NoSuchBucketException when there is no such bucket
     */
    public void mustExist() {
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
    public void close() {
        client.close();
        patient.close();
    }
}
