package io.knabla.controller.kill;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Repeats {@link KillIT} on an S3 store: every start finds the node cache of a killed platform. */
class KillOnBucketIT extends KillIT {
    private static final int FEWER = 3;

    @TempDir
    Path buckets;

    private final Map<String, String> settings = new HashMap<>();
    private S3Server server;

    @BeforeEach
    void serve() {
        server = S3ProxyServer.start(buckets);
        settings.putAll(server.environment());
        settings.put("KNABLA_STORE", "s3://" + server.newBucket() + "/platform");
        // A starting platform gives up on a bucket after 10 s; a busy machine may stall for longer.
        settings.put("KNABLA_S3_REQUEST_TIMEOUT", "1m");
        settings.put("KNABLA_S3_CALL_TIMEOUT", "3m");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Override
    int kills() {
        return Math.max(1, super.kills() / FEWER);
    }

    @Override
    Map<String, String> settings() {
        return settings;
    }

    @Override
    boolean holds(String unit) {
        try (ObjectStore store = Stores.open(settings.get("KNABLA_STORE"), settings)) {
            String hex = unit.substring("sha256:".length());
            return store.stat(ObjectKey.of("units", hex + ".json")).isPresent();
        }
    }

    @Override
    List<String> swept() {
        return List.of("run/replicas");
    }
}
