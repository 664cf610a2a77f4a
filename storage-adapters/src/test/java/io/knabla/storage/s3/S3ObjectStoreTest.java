package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs the store contract on S3Proxy. */
class S3ObjectStoreTest extends ObjectStoreContract {
    @TempDir
    static Path folder;

    private static S3Server server;
    private ObjectStore store;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        store = S3ObjectStore.open("s3://" + server.newBucket() + "/some/prefix", server.environment());
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Override
    protected boolean holdsEveryKey() {
        return server.holdsEveryKey();
    }
}
