package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreContract;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class S3ObjectStoreTest extends ObjectStoreContract {
    @TempDir static Path folder;
    private static S3Server server;
    private ObjectStore store;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
        System.setProperty("aws.accessKeyId", server.accessKey());
        System.setProperty("aws.secretAccessKey", server.secretKey());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        Map<String, String> environment = new HashMap<>(server.environment());
        store = S3ObjectStore.open("s3://" + server.newBucket() + "/some/prefix", environment);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected ObjectStore store() {
        return store;
    }
}
