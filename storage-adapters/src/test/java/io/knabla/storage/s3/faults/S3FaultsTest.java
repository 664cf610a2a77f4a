package io.knabla.storage.s3.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.S3ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.Fault.S3Error;
import io.knabla.storage.s3.proxy.FaultProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Tests the messages for error responses of S3 and for connection failures. */
class S3FaultsTest {
    private static final ObjectKey KEY = ObjectKey.of("catalog", "a.json");

    @TempDir
    static Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            403 | AccessDenied               | access denied (AccessDenied). Its credentials need s3:PutObject on arn:aws:s3:::units/*
            403 | ExpiredToken               | the credentials have expired (ExpiredToken). Renew them
            400 | ExpiredToken               | the credentials have expired (ExpiredToken). Renew them
            403 | InvalidAccessKeyId         | it does not know these credentials (InvalidAccessKeyId). Check AWS_ACCESS_KEY_ID
            301 | PermanentRedirect          | the bucket 'units' is in the region eu-west-1. Set AWS_REGION=eu-west-1.
            400 | AuthorizationHeaderMalformed | the bucket 'units' is in the region eu-west-1
            403 | RequestTimeTooSkewed       | this machine's clock is more than 15 minutes off the server's
            404 | NoSuchBucket               | there is no bucket 'units' there. Make it (aws s3 mb s3://units)
            503 | SlowDown                   | it is asked too much (SlowDown)
            501 | NotImplemented             | Knabla needs conditional writes
            412 | PreconditionFailed         | it was replaced meanwhile
            400 | InvalidEncryptionAlgorithmError | Check KNABLA_S3_ENDPOINT, KNABLA_S3_ADDRESSING and KNABLA_S3_ENCRYPTION
            500 | InternalError              | it answered 500 InternalError (as it said) after one try. Try again
            """)
    void explainsErrorResponses(int status, String code, String advice) {
        assertThat(S3Faults.cannot(Action.WRITE, KEY, S3Location.parse("s3://units/p"), answer(status, code)))
                .hasMessageStartingWith("cannot write 'catalog/a.json' in the store s3://units/p: ")
                .hasMessageContaining(advice);
    }

    private static SdkException answer(int status, String code) {
        return S3Exception.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage("as it said")
                        .sdkHttpResponse(SdkHttpResponse.builder()
                                .putHeader("x-amz-bucket-region", "eu-west-1")
                                .build())
                        .build())
                .build();
    }

    @Test
    void reportsAMissingBucket() {
        try (ObjectStore store = S3ObjectStore.open("s3://no-such-bucket", server.environment())) {
            for (ThrowingCallable ask : List.<ThrowingCallable>of(
                    () -> store.read(KEY),
                    () -> store.stat(KEY),
                    () -> store.open(KEY, ByteRange.ALL),
                    () -> store.delete(KEY),
                    () -> store.list("").toList(),
                    () -> store.write(KEY, Content.of(new byte[1])),
                    () -> store.createOnce(KEY, Content.of(new byte[1])),
                    () -> store.replaceIfMatch(KEY, "\"e\"", Content.of(new byte[1])))) {
                assertThatThrownBy(ask)
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("there is no bucket 'no-such-bucket' there");
            }
        }
    }

    @Test
    void wrongCredentialsAreNamed() {
        fails(Map.of("AWS_SECRET_ACCESS_KEY", "wrong"), "it does not know these credentials");
        fails(Map.of("AWS_ACCESS_KEY_ID", "nobody"), "it does not know these credentials");
    }

    @Test
    void reportsAnUnreachableServer() throws IOException {
        // Bound, so no other process gets it, but not listening.
        try (var taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            fails(Map.of("KNABLA_S3_ENDPOINT", "http://127.0.0.1:" + taken.getLocalPort()), "nothing answers there");
        }
        fails(Map.of("KNABLA_S3_ENDPOINT", "http://no-such-host.invalid"), "there is no host 'no-such-host.invalid");
        fails(
                Map.of("KNABLA_S3_ENDPOINT", server.endpoint().toString().replace("http", "https")),
                "it does not speak TLS. Write http://");
    }

    @Test
    void timesOutOnASilentServer() throws IOException {
        try (var door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            fails(
                    Map.of(
                            "KNABLA_S3_ENDPOINT",
                            "http://127.0.0.1:" + door.getLocalPort(),
                            "KNABLA_S3_REQUEST_TIMEOUT",
                            "200ms"),
                    "it did not answer in time");
        }
    }

    @Test
    void stopsRetryingABusyServer() {
        var busy = new Fault.Refused(S3Error.SLOW_DOWN, OptionalInt.empty(), false);
        try (var proxy = FaultProxy.start(server.endpoint(), _ -> busy)) {
            fails(
                    Map.of("KNABLA_S3_ENDPOINT", proxy.endpoint().toString()),
                    "it is asked too much (SlowDown) and stayed so for 2 tries");
        }
    }

    /** No available server corrupts stored bytes, so a local HTTP server simulates one. */
    @Test
    void reportsAChecksumMismatch() throws IOException {
        HttpServer damaged = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        damaged.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("ETag", "\"e\"");
            exchange.getResponseHeaders().add("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT");
            exchange.getResponseHeaders().add("x-amz-checksum-crc32", "AAAAAA==");
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes(UTF_8));
            exchange.close();
        });
        damaged.start();
        try {
            fails(
                    Map.of(
                            "KNABLA_S3_ENDPOINT",
                            "http://127.0.0.1:" + damaged.getAddress().getPort()),
                    "its bytes are not those that were written");
        } finally {
            damaged.stop(0);
        }
    }

    private static void fails(Map<String, String> settings, String message) {
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put("KNABLA_S3_ATTEMPTS", "2");
        environment.putAll(settings);
        try (ObjectStore store = S3ObjectStore.open("s3://" + server.newBucket(), environment)) {
            assertThatThrownBy(() -> store.read(KEY))
                    .isInstanceOf(StorageException.class)
                    .hasMessageStartingWith("cannot read 'catalog/a.json' in the store s3://test-")
                    .hasMessageContaining(message);
        }
    }
}
