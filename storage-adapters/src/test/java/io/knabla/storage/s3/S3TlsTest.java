package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.direct.DirectReader;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.servers.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests TLS to a server with a self-signed certificate. */
class S3TlsTest {
    private static final ObjectKey KEY = ObjectKey.of("a");

    @TempDir
    static Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() throws Exception {
        Path buckets = Files.createDirectory(folder.resolve("buckets"));
        server = S3ProxyServer.startWithTls(buckets, SelfSigned.make(folder));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void acceptsACertificateOfTheConfiguredAuthority() throws IOException {
        try (ObjectStore store = open(Map.of())) {
            store.createOnce(KEY, Content.of(new byte[] {7}));
            assertThat(store.read(KEY).orElseThrow().bytes()).containsExactly(7);
        }
    }

    /** The reader that loads no SDK. */
    @Test
    void readsDirectlyFromThere() throws IOException {
        Map<String, String> environment = server.environment();
        String bucket = server.newBucket();
        try (ObjectStore store = S3ObjectStore.open("s3://" + bucket, environment)) {
            store.createOnce(KEY, Content.of(new byte[] {7}));
        }
        var settings = S3Settings.of(environment);
        var reader = DirectReader.of(S3Location.parse("s3://" + bucket), settings, environment, InstantSource.system());
        try (var stream = reader.orElseThrow().open(KEY, null).orElseThrow()) {
            assertThat(stream.readAllBytes()).containsExactly(7);
        }
    }

    @Test
    void rejectsAnUnknownCertificate() {
        try (ObjectStore store = open(Map.of("KNABLA_S3_CA", ""))) {
            assertThatThrownBy(() -> store.read(KEY))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("its certificate is not trusted")
                    .hasMessageContaining("Set KNABLA_S3_CA to a PEM file");
        }
    }

    @Test
    void aFileWithoutCertificatesIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() -> open(Map.of("KNABLA_S3_CA", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KNABLA_S3_CA is '" + file + "'")
                .hasMessageContaining("-----BEGIN CERTIFICATE-----");
    }

    private static ObjectStore open(Map<String, String> more) {
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.putAll(more);
        return S3ObjectStore.open("s3://" + server.newBucket(), environment);
    }
}
