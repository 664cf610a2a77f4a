package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.Content;
import io.knabla.storage.Contents;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import io.knabla.storage.s3.servers.TestClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;

/** Checks the requests on the wire through a proxy that changes nothing. */
class S3RequestsTest {
    private static final ObjectKey KEY = ObjectKey.of("a");

    @TempDir
    static Path folder;

    private static S3Server server;

    private final List<MessageHead> requests = Collections.synchronizedList(new ArrayList<>());
    private FaultProxy proxy;
    private String bucket;

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
        bucket = server.newBucket();
        proxy = FaultProxy.start(server.endpoint(), this::pass);
    }

    private Fault pass(MessageHead request) {
        requests.add(request);
        return new Fault.None();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private ObjectStore store(String... settings) {
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        for (int i = 0; i < settings.length; i += 2) {
            environment.put(settings[i], settings[i + 1]);
        }
        return S3ObjectStore.open("s3://" + bucket + "/p", environment);
    }

    @Test
    void aDocumentIsReadAndReplacedInTwoRequests() throws IOException {
        try (ObjectStore store = store()) {
            store.write(KEY, content("1"));
            requests.clear();

            String etag = store.read(KEY).orElseThrow().etag();
            assertThat(store.replaceIfMatch(KEY, etag, content("2"))).isPresent();

            assertThat(requests).extracting(MessageHead::method).containsExactly("GET", "PUT");
            MessageHead put = requests.getLast();
            assertThat(put.field("x-amz-checksum-crc32")).isPresent();
            assertThat(put.field("x-amz-meta-knabla-write")).isPresent();
            assertThat(put.field("Expect")).isEmpty();
            assertThat(put.field("Content-Length")).contains("1");
        }
    }

    @Test
    void requestsTheConfiguredEncryption() throws IOException {
        try (ObjectStore store = store("KNABLA_S3_ENCRYPTION", "AES256")) {
            store.write(KEY, content("1"));
            store.write(ObjectKey.of("large"), Contents.filled((byte) 7, 17 << 20));
        }
        List<MessageHead> writes = requests.stream()
                .filter(request -> request.target().endsWith("?uploads")
                        || request.method().equals("PUT") && !request.target().contains("?"))
                .toList();
        assertThat(writes).hasSize(2);
        assertThat(writes)
                .allMatch(write -> write.field("x-amz-server-side-encryption").equals(Optional.of("AES256")));
    }

    /** Uses a child process, because bucket host names need their own hosts file. */
    @Test
    void supportsVirtualHostAddressing() throws IOException {
        Path hosts = Files.writeString(folder.resolve(bucket + ".hosts"), "127.0.0.1 " + bucket + ".localhost\n");
        try (ObjectStore store = S3ObjectStore.open("s3://" + bucket, server.environment())) {
            store.write(ObjectKey.of("here"), content("1"));
        }
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put("KNABLA_S3_ADDRESSING", "virtual");
        try (S3Server named = S3ProxyServer.startWithNames(folder);
                FaultProxy seen = FaultProxy.start(named.endpoint(), this::pass)) {
            environment.put("KNABLA_S3_ENDPOINT", seen.endpoint().toString().replace("127.0.0.1", "localhost"));

            assertThat(ReadChild.read("s3://" + bucket, environment, "-Djdk.net.hosts.file=" + hosts))
                    .isEqualTo("there");
        }
        assertThat(requests.getFirst().target()).isEqualTo("/here");
        assertThat(requests.getFirst().field("Host").orElseThrow()).startsWith(bucket + ".localhost");
    }

    @Test
    void listsManyPagesAndSkipsForeignNames() throws Exception {
        List<String> keys =
                IntStream.range(0, 1_020).mapToObj("units/%05d"::formatted).toList();
        try (ObjectStore store = store();
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> writes = new ArrayList<>();
            for (String key : keys) {
                writes.add(threads.submit(() -> store.write(ObjectKey.of(key), content(key))));
            }
            for (Future<String> write : writes) {
                write.get();
            }
            foreign("p/units/not a key", "p/units/größe", "p/units~", "other/units/1");
            requests.clear();

            try (Stream<ObjectInfo> found = store.list("units")) {
                assertThat(found.map(info -> info.key().path())).isEqualTo(keys);
            }
            assertThat(requests).hasSize(2);
            try (Stream<ObjectInfo> found = store.list("")) {
                assertThat(found.count()).isEqualTo(keys.size());
            }
        }
    }

    private void foreign(String... names) {
        try (var client = TestClients.of(server.endpoint(), server.accessKey(), server.secretKey())) {
            for (String name : names) {
                client.putObject(put -> put.bucket(bucket).key(name), RequestBody.fromString("x"));
            }
        }
    }

    private static Content content(String text) {
        return Content.of(text.getBytes(UTF_8));
    }
}
