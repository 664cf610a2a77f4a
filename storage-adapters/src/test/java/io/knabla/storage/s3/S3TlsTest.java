package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests TLS to a server with a self-signed certificate. */
class S3TlsTest {
    private static final ObjectKey KEY = ObjectKey.of("a");
    private static final String PASSWORD = "of-a-test";

    @TempDir
    static Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() throws Exception {
        String keys = folder.resolve("keys.p12").toString();
        keytool(
                "-genkeypair",
                "-keystore",
                keys,
                "-storetype",
                "PKCS12",
                "-alias",
                "s3",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1");
        keytool(
                "-exportcert",
                "-keystore",
                keys,
                "-alias",
                "s3",
                "-rfc",
                "-file",
                folder.resolve("ca.pem").toString());
        Path buckets = Files.createDirectory(folder.resolve("buckets"));
        server = S3ProxyServer.startWithTls(buckets, Path.of(keys), PASSWORD);
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void acceptsACertificateOfTheConfiguredAuthority() throws IOException {
        try (ObjectStore store =
                open(Map.of("KNABLA_S3_CA", folder.resolve("ca.pem").toString()))) {
            store.createOnce(KEY, Content.of(new byte[] {7}));
            assertThat(store.read(KEY).orElseThrow().bytes()).containsExactly(7);
        }
    }

    @Test
    void rejectsAnUnknownCertificate() {
        try (ObjectStore store = open(Map.of())) {
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
