package io.knabla.storage.s3.parts;

import io.knabla.storage.s3.PresignedContract;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests presigned uploads on S3Proxy. */
class S3PresignedUploadsTest extends PresignedContract {
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
