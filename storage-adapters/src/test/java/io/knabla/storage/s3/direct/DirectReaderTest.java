package io.knabla.storage.s3.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.servers.CredentialServices;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reading without the SDK, and what is left to it. */
class DirectReaderTest {
    private static final ObjectKey KEY = ObjectKey.of("units/a");
    private static final byte[] BYTES = {1, 2, 3, 4, 5};

    @TempDir
    static Path folder;

    private static S3ProxyServer server;
    private static String place;

    @BeforeAll
    static void start() throws IOException {
        server = S3ProxyServer.start(Files.createDirectory(folder.resolve("buckets")));
        place = "s3://" + server.newBucket() + "/some/prefix";
        try (ObjectStore store = S3ObjectStore.open(place, server.environment())) {
            store.write(KEY, Content.of(BYTES));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void readsAnObjectAndARange() throws IOException {
        DirectReader reader = reader(server.environment()).orElseThrow();

        assertThat(read(reader.open(KEY, null))).isEqualTo(BYTES);
        assertThat(read(reader.open(KEY, "bytes=1-3"))).containsExactly(2, 3, 4);
    }

    @Test
    void assumesTheRoleOfTheServiceAccount() throws IOException {
        try (var services = CredentialServices.start(server)) {
            Map<String, String> environment = withoutKeys();
            environment.put("AWS_WEB_IDENTITY_TOKEN_FILE", token());
            environment.put("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/knabla");
            environment.put("AWS_ENDPOINT_URL_STS", services.address());

            assertThat(read(reader(environment).orElseThrow().open(KEY, null))).isEqualTo(BYTES);
            assertThat(services.requests())
                    .singleElement()
                    .asString()
                    .startsWith("POST / ")
                    .contains("Action=AssumeRoleWithWebIdentity", "role%2Fknabla", "WebIdentityToken=the-pods-token");
        }
    }

    @Test
    void asksTheAgentOfPodIdentity() throws IOException {
        try (var services = CredentialServices.start(server)) {
            Map<String, String> environment = withoutKeys();
            environment.put("AWS_CONTAINER_CREDENTIALS_FULL_URI", services.address() + "/v1/credentials");
            environment.put("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token());

            assertThat(read(reader(environment).orElseThrow().open(KEY, null))).isEqualTo(BYTES);
            assertThat(services.requests()).singleElement().asString().startsWith("GET /v1/credentials the-pods-token");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.com/v1/credentials", "/v1/credentials"})
    void givesAPodsTokenToItsNodeOnly(String agent) {
        Map<String, String> environment = withoutKeys();
        environment.put("AWS_CONTAINER_CREDENTIALS_FULL_URI", agent);
        environment.put("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/none");

        assertThat(reader(environment)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTPS_PROXY", "AWS_USE_FIPS_ENDPOINT"})
    void leavesSettingsThatItDoesNotKnowToTheSdk(String setting) {
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put(setting, "true");

        assertThat(reader(environment)).isEmpty();
    }

    @Test
    void leavesProfilesToTheSdk() {
        Map<String, String> environment = withoutKeys();
        environment.put("AWS_PROFILE", "work");
        assertThat(reader(environment)).isEmpty();
    }

    @Test
    void isNotTriedAgainAfterAFailure() {
        DirectReader reader = reader(server.environment()).orElseThrow();

        assertThat(reader.open(ObjectKey.of("absent"), null)).isEmpty();
        assertThat(reader.open(KEY, null)).isEmpty();
    }

    /** A range that the server does not know as such, because the object is shorter. */
    @Test
    void returnsNothingForARangeBehindTheEnd() {
        assertThat(reader(server.environment()).orElseThrow().open(KEY, "bytes=9-10"))
                .isEmpty();
    }

    @Test
    void theSdkReadsWhatFailed() throws IOException {
        var requests = new AtomicInteger();
        var busy = new Fault.Refused(Fault.S3Error.SLOW_DOWN, OptionalInt.empty(), false);
        try (var proxy =
                FaultProxy.start(server.endpoint(), _ -> requests.incrementAndGet() == 1 ? busy : new Fault.None())) {
            Map<String, String> environment = new TreeMap<>(server.environment());
            environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
            try (ObjectStore store = S3ObjectStore.openToRead(place, environment)) {
                assertThat(read(store.open(KEY, ByteRange.ALL))).isEqualTo(BYTES);
                assertThat(requests).hasValue(2);
                assertThat(store.open(ObjectKey.of("absent"), ByteRange.ALL)).isEmpty();
                assertThat(store.read(KEY).orElseThrow().bytes()).isEqualTo(BYTES);
            }
        }
    }

    private static Optional<DirectReader> reader(Map<String, String> environment) {
        return DirectReader.of(
                S3Location.parse(place), S3Settings.of(environment), environment, InstantSource.system());
    }

    private static Map<String, String> withoutKeys() {
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.keySet().removeIf(name -> name.startsWith("AWS_") && name.contains("KEY"));
        return environment;
    }

    private static String token() throws IOException {
        return Files.writeString(folder.resolve("token"), "the-pods-token\n").toString();
    }

    private static byte[] read(Optional<InputStream> open) throws IOException {
        try (InputStream in = open.orElseThrow()) {
            return in.readAllBytes();
        }
    }
}
