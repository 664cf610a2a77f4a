package io.knabla.controller.bucket;

import io.knabla.controller.kill.PlatformProcess;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Starts an S3 server with one bucket, and platforms that use it as their store. */
final class Bucket implements AutoCloseable {
    private final Path folder;
    private final S3Server server;
    private final Map<String, String> settings;

    Bucket(Path folder) throws IOException {
        this.folder = folder;
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        settings = new HashMap<>(server.environment());
        settings.put("KNABLA_STORE", "s3://" + server.newBucket() + "/platform");
        settings.put("KNABLA_CATALOG_REFRESH", "200ms");
        // A starting platform gives up on a bucket after 10 s; a busy machine may stall for longer.
        settings.put("KNABLA_S3_REQUEST_TIMEOUT", "1m");
        settings.put("KNABLA_S3_CALL_TIMEOUT", "3m");
    }

    /** @param home name of the home folder; the same name gives the same home */
    PlatformProcess platform(String home) throws IOException {
        return platform(home, Map.of());
    }

    /** @param more settings of this platform alone */
    PlatformProcess platform(String home, Map<String, String> more) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return PlatformProcess.start(Files.createDirectories(folder.resolve(home)), all);
    }

    Path log(String home) {
        return folder.resolve(home).resolve("controller.log");
    }

    ObjectStore store() {
        return Stores.open(settings.get("KNABLA_STORE"), settings);
    }

    @Override
    public void close() {
        server.close();
    }
}
