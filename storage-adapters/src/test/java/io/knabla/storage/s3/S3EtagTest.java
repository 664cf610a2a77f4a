package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that a document is read with its own etag, even from a server that mixes up etags during writes. */
class S3EtagTest {
    private static final ObjectKey KEY = ObjectKey.of("document");
    private static final String KMS = "arn:aws:kms:eu-central-1:111122223333:key/k";

    /** Response of the server to one GET; without a body the object is absent. */
    private record ScriptedResponse(String etag, String body, String kmsKey) {}

    private final Queue<ScriptedResponse> script = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private ObjectStore store;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        store = S3ObjectStore.open(
                "s3://bucket",
                Map.of(
                        "KNABLA_S3_ENDPOINT",
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        "AWS_ACCESS_KEY_ID",
                        "me",
                        "AWS_SECRET_ACCESS_KEY",
                        "secret",
                        "AWS_REGION",
                        "us-east-1"));
    }

    @AfterEach
    void stop() {
        store.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            ScriptedResponse said = script.remove();
            if (said.body() == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders().set("Last-Modified", "Sat, 21 Nov 2026 23:00:00 GMT");
            exchange.getResponseHeaders().set("ETag", '"' + said.etag() + '"');
            if (said.kmsKey() != null) {
                exchange.getResponseHeaders().set("x-amz-server-side-encryption-aws-kms-key-id", said.kmsKey());
            }
            byte[] body = said.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void rereadsAfterAStaleEtag() {
        says(md5("old"), "new");
        says(md5("new"), "new");

        assertReads("new", md5("new"));
    }

    @Test
    void rereadsAfterEveryConcurrentWrite() {
        says(md5("a"), "b");
        says(md5("b"), "c");
        says(md5("c"), "c");

        assertReads("c", md5("c"));
    }

    @Test
    void acceptsAnEtagThatIsRepeated() {
        says(md5("a salt"), "b");
        says(md5("a salt"), "c");

        assertReads("b", md5("a salt"));
    }

    @Test
    void reportsAbsenceAfterAConcurrentDelete() {
        says(md5("old"), "new");
        script.add(new ScriptedResponse("", null, null));

        assertThat(store.read(KEY)).isEmpty();
        assertThat(script).isEmpty();
    }

    @Test
    void acceptsEtagsThatCannotBeMd5() {
        says(md5("parts") + "-2", "content");
        assertReads("content", md5("parts") + "-2");

        script.add(new ScriptedResponse(md5("encrypted"), "content", KMS));
        assertReads("content", md5("encrypted"));
    }

    @Test
    void limitsRepeatedReads() {
        for (int i = 0; i < 100; i++) {
            says(md5("salt " + i), "content");
        }

        assertThat(store.read(KEY).map(StoredObject::bytes)).contains("content".getBytes(UTF_8));
        assertThat(script).isNotEmpty();
    }

    private void says(String etag, String body) {
        script.add(new ScriptedResponse(etag, body, null));
    }

    /** Also checks that exactly the scripted number of requests is sent. */
    private void assertReads(String body, String etag) {
        StoredObject read = store.read(KEY).orElseThrow();
        assertThat(new String(read.bytes(), UTF_8)).isEqualTo(body);
        assertThat(read.etag()).contains(etag);
        assertThat(script).isEmpty();
    }

    private static String md5(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
