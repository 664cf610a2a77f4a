package io.knabla.storage.s3.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truncates the responses of every kind of call at many positions, also within headers; each call still succeeds. */
class TruncatedResponseGuardTest {
    private static final ObjectKey KEY = ObjectKey.of("key");
    private static final int PLACES = 24;

    @TempDir
    Path folder;

    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    @Test
    void retriesAfterATruncatedResponse() throws Exception {
        with(store -> {
            for (int i = 0; i < PLACES; i++) {
                byte[] bytes = ("version " + i).getBytes();
                cut(i);
                String etag = store.write(KEY, Content.of(bytes));
                cut(i);
                assertThat(store.read(KEY).orElseThrow().bytes()).isEqualTo(bytes);
                cut(i);
                ObjectInfo info = store.stat(KEY).orElseThrow();
                assertThat(info.etag()).isEqualTo(etag);
                cut(i);
                assertThat(store.list("")).containsExactly(info);
                cut(i);
                byte[] next = ("next " + i).getBytes();
                assertThat(store.replaceIfMatch(KEY, etag, Content.of(next))).isPresent();
                assertThat(faults).isEmpty();
            }
        });
    }

    @Test
    void recognisesItsDuplicatedWriteAfterATruncatedResponse() throws Exception {
        with(store -> {
            for (int i = 0; i < PLACES; i++) {
                faults.add(new Fault.Duplicate(true));
                cut(i);
                var key = ObjectKey.of("once" + i);
                assertThat(store.createOnce(key, Content.of("mine".getBytes())))
                        .as("cut at %d of %d", i, PLACES)
                        .isPresent();
                assertThat(faults).isEmpty();
            }
        });
    }

    private interface Scene {
        void with(ObjectStore store) throws Exception;
    }

    private void with(Scene scene) throws Exception {
        try (S3Server server = S3ProxyServer.start(folder);
                var proxy = FaultProxy.start(
                        server.endpoint(), _ -> faults.isEmpty() ? new Fault.None() : faults.remove());
                ObjectStore store = open(server, proxy)) {
            scene.with(store);
        }
    }

    private void cut(int place) {
        faults.add(new Fault.Truncated(place / (double) PLACES, false));
    }

    private static ObjectStore open(S3Server server, FaultProxy proxy) {
        Map<String, String> environment = new HashMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        return S3ObjectStore.open("s3://" + server.newBucket(), environment);
    }
}
