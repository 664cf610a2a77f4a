package io.knabla.controller.cli.doctor.store;

import static io.knabla.controller.cli.doctor.store.StoreChecksTest.of;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.doctor.Finding;
import io.knabla.controller.cli.doctor.Finding.Grade;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3StoreChecksTest {
    @TempDir
    Path folder;

    @Test
    void acceptsServerWithConditionalWritesAndCleansUp() throws InterruptedException {
        try (var server = S3ProxyServer.start(folder);
                ObjectStore store = Stores.open("s3://" + server.newBucket() + "/some/prefix", server.environment())) {
            List<Finding> findings = StoreChecksTest.examine(store);

            assertThat(findings)
                    .filteredOn(finding -> finding.grade() == Grade.bad)
                    .isEmpty();
            assertThat(of(findings, "credentials").found())
                    .isEqualTo("key …tity from AWS_ACCESS_KEY_ID of the environment");
            assertThat(of(findings, "checksums").found()).contains("CRC32", "MD5");
            assertThat(of(findings, "clock").found()).isEqualTo("agrees with the server's");
            assertThat(findings.toString()).doesNotContain(server.secretKey());
            try (Stream<ObjectInfo> left = store.list("")) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void rejectsServerWhereSeveralWritersWin() throws InterruptedException {
        try (var server = S3ProxyServer.startWithoutAtomicConditions(folder);
                ObjectStore store = Stores.open("s3://" + server.newBucket(), server.environment())) {
            List<Finding> findings = StoreChecksTest.examine(store);

            assertThat(findings)
                    .filteredOn(finding -> finding.check().startsWith("race to"))
                    .filteredOn(finding -> finding.grade() == Grade.bad)
                    .isNotEmpty()
                    .allMatch(finding -> finding.fix().contains("do not use this server"));
        }
    }

    @Test
    void stopsAtMissingBucket() throws InterruptedException {
        try (var server = S3ProxyServer.start(folder)) {
            List<Finding> findings = examine("s3://no-such-bucket", server.environment());

            assertThat(of(findings, "bucket").found()).isEqualTo("there is no bucket 'no-such-bucket' there");
            assertThat(of(findings, "bucket").fix()).contains("aws s3 mb s3://no-such-bucket");
            assertThat(findings).last().matches(finding -> finding.found().contains("not tried"));
        }
    }

    @Test
    void reportsWrongSecretWithoutPrintingIt() throws InterruptedException {
        try (var server = S3ProxyServer.start(folder)) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.put("AWS_SECRET_ACCESS_KEY", "not-the-secret");

            List<Finding> findings = examine("s3://" + server.newBucket(), environment);

            assertThat(of(findings, "bucket").found()).contains("does not know these credentials");
            assertThat(findings.toString()).doesNotContain("not-the-secret");
        }
    }

    @Test
    void reportsClosedPort() throws IOException, InterruptedException {
        // Bound, which reserves the port, but not listening.
        try (var taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

            List<Finding> findings = examine("s3://bucket", at("http://127.0.0.1:" + taken.getLocalPort()));

            assertThat(of(findings, "endpoint").grade()).isEqualTo(Grade.bad);
            assertThat(of(findings, "endpoint").found()).contains("nothing answers there");
        }
    }

    @Test
    void reportsUnknownHost() throws InterruptedException {
        List<Finding> findings = examine("s3://bucket", at("http://no-such-host.invalid"));

        assertThat(of(findings, "endpoint").found()).contains("there is no host 'no-such-host.invalid");
    }

    @Test
    void reportsServerWithoutTls() throws InterruptedException {
        try (var server = S3ProxyServer.start(folder)) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.put(
                    "KNABLA_S3_ENDPOINT",
                    "https://127.0.0.1:" + server.endpoint().getPort());

            List<Finding> findings = examine("s3://" + server.newBucket(), environment);

            assertThat(of(findings, "bucket").found()).isEqualTo("it does not speak TLS");
            assertThat(of(findings, "bucket").fix()).contains("http:// in KNABLA_S3_ENDPOINT");
        }
    }

    private static Map<String, String> at(String endpoint) {
        return Map.of(
                "KNABLA_S3_ENDPOINT", endpoint,
                "KNABLA_S3_ADDRESSING", "path",
                "AWS_ACCESS_KEY_ID", "id",
                "AWS_SECRET_ACCESS_KEY", "secret");
    }

    private static List<Finding> examine(String location, Map<String, String> environment) throws InterruptedException {
        try (ObjectStore store = Stores.open(location, environment)) {
            return StoreChecksTest.examine(store);
        }
    }
}
