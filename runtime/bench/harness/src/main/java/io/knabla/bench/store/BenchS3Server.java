package io.knabla.bench.store;

import io.knabla.bench.machine.Folders;
import io.knabla.bench.report.Progress;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.servers.RealServer;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/**
 * Starts the S3 server that both sides use: VersityGW, or S3Proxy if it is not available.
 *
 * @param name name and version
 */
record BenchS3Server(String name, S3Server server, Path folder) implements AutoCloseable {
    static BenchS3Server start(Progress progress) {
        progress.report("starting " + RealServer.VERSITY.title());
        Path folder = Folders.temporary();
        try {
            S3Server server = RealServer.VERSITY.start(folder);
            return new BenchS3Server(RealServer.VERSITY.title(), server, folder);
        } catch (TestAbortedException impossible) {
            progress.report("S3Proxy instead: " + impossible.getMessage());
            return new BenchS3Server("S3Proxy", S3ProxyServer.start(folder), folder);
        }
    }

    @Override
    public void close() {
        server.close();
        Folders.delete(folder);
    }
}
