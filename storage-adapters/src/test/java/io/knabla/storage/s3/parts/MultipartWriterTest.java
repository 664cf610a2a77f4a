package io.knabla.storage.s3.parts;

import io.knabla.storage.s3.MultipartContract;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests multipart uploads on S3Proxy. */
class MultipartWriterTest extends MultipartContract {
    @TempDir
    static Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected S3Server server() {
        return server;
    }
}
