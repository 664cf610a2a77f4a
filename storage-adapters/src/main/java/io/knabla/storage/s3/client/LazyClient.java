package io.knabla.storage.s3.client;

import software.amazon.awssdk.services.s3.S3Client;

/** Creates the S3 client on first use, because loading the SDK slows down a start. */
public final class LazyClient implements AutoCloseable {
    private final S3Settings settings;
    private S3Client client;

    public LazyClient(S3Settings settings) {
        this.settings = settings;
    }

    public synchronized S3Client get() {
        if (client == null) {
            client = S3Clients.make(settings);
        }
        return client;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
