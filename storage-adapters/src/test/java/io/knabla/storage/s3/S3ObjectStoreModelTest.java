package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;
import io.knabla.storage.file.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Runs the model contract on S3Proxy. */
class S3ObjectStoreModelTest extends ObjectStoreModelContract {
    private static Path folder;
    private static S3Server server;

    @BeforeContainer
    static void start() throws IOException {
        folder = Files.createTempDirectory("knabla-model-s3");
        server = S3ProxyServer.start(folder);
    }

    @AfterContainer
    static void stop() throws IOException {
        server.close();
        FileTrees.delete(folder);
    }

    @Override
    protected ObjectStore create() {
        return S3ObjectStore.open("s3://" + server.newBucket(), server.environment());
    }

    @Override
    protected boolean holdsEveryKey() {
        return server.holdsEveryKey();
    }
}
