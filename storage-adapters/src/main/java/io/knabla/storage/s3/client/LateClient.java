package io.knabla.storage.s3.client;

import software.amazon.awssdk.services.s3.S3Client;

/** A client that is made when first asked for: it costs a start dearly. */
public final class LateClient implements AutoCloseable {
    private final S3Settings settings;
    private S3Client client;

    public LateClient(S3Settings settings) {
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
