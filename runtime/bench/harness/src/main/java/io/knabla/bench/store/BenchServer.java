package io.knabla.bench.store;

import io.knabla.bench.Progress;
import io.knabla.bench.machine.Folders;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;

/** The S3 server that both sides use. */
final class BenchServer {
    private BenchServer() {}

    static S3Server start(Progress progress) {
        progress.say("starting S3Proxy");
        return S3ProxyServer.start(Folders.temporary());
    }
}
