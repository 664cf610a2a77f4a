package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.ElementType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed requests and responses of a replica. */
class CompressedBodiesTest {
    private static final int COUNT = 1000;

    private static RunningReplica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = new RunningReplica(TestModels.identity(ElementType.FLOAT), RunningReplica.PLAIN);
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
    }

    private static byte[] json() {
        return """
                {"inputs":[{"name":"x","shape":[%d],"datatype":"FP32","data":[%s]}]}""".formatted(COUNT, String.join(",", Collections.nCopies(COUNT, "1.5")))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] pack(String coding, byte[] plain) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (OutputStream out =
                coding.equals("gzip") ? new GZIPOutputStream(packed) : new DeflaterOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }

    private static byte[] unpack(HttpResponse<byte[]> response) throws IOException {
        String coding = response.headers().firstValue("Content-Encoding").orElse("");
        var packed = new ByteArrayInputStream(response.body());
        try (InputStream in = switch (coding) {
            case "gzip" -> new GZIPInputStream(packed);
            case "deflate" -> new InflaterInputStream(packed);
            default -> packed;
        }) {
            return in.readAllBytes();
        }
    }

    private static HttpRequest.Builder infer(byte[] body) {
        return replica.request("/v2/models/m/infer").POST(BodyPublishers.ofByteArray(body));
    }

    private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
        return replica.client().send(request.build(), BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void readsAndWritesBoth(String coding) throws Exception {
        byte[] plain = send(infer(json())).body();
        var answer = send(
                infer(pack(coding, json())).header("Content-Encoding", coding).header("Accept-Encoding", coding));
        assertThat(answer.headers().firstValue("Content-Encoding")).hasValue(coding);
        assertThat(answer.headers().firstValue("Vary")).hasValue("Accept-Encoding");
        assertThat(unpack(answer)).isEqualTo(plain);
        assertThat(answer.body().length).isLessThan(plain.length / 4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void lengthOfTheJsonPartIsThatOfThePlainBody(String coding) throws Exception {
        byte[] json = """
                {"parameters":{"binary_data_output":true},"inputs":[{"name":"x","shape":[1000],"datatype":"FP32","parameters":{"binary_data_size":4000}}]}""".getBytes(StandardCharsets.UTF_8);
        byte[] body = Arrays.copyOf(json, json.length + 4000);
        Arrays.fill(body, json.length, body.length, (byte) 1);
        var answer = send(infer(pack(coding, body))
                .header("Content-Encoding", coding)
                .header("Inference-Header-Content-Length", Integer.toString(json.length))
                .header("Accept-Encoding", coding));
        byte[] plain = unpack(answer);
        long head = answer.headers()
                .firstValueAsLong("Inference-Header-Content-Length")
                .orElseThrow();
        assertThat(plain).hasSize((int) head + 4000).endsWith(Arrays.copyOf(new byte[] {1, 1, 1, 1}, 4));
        assertThat(new String(plain, 0, (int) head, StandardCharsets.UTF_8)).endsWith("}");
    }

    @ParameterizedTest(name = "{0}, binary {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, deflate       | false | gzip",
                "gzip;q=0, deflate   | false | deflate",
                "br, *               | false | gzip",
                "br                  | false | ''",
                "identity            | false | ''",
                "gzip                | true  | gzip",
                "gzip, deflate       | true  | ''"
            })
    void choosesACodingThatTheClientAccepts(String accepted, boolean binary, String coding) throws Exception {
        byte[] body = new String(json(), StandardCharsets.UTF_8)
                .replace("{\"inputs\"", "{\"parameters\":{\"binary_data_output\":" + binary + "},\"inputs\"")
                .getBytes(StandardCharsets.UTF_8);
        var answer = send(infer(body).header("Accept-Encoding", accepted));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Encoding").orElse("")).isEqualTo(coding);
    }

    @Test
    void smallAnswersAreNotCompressed() throws Exception {
        var answer = send(replica.request("/v2").header("Accept-Encoding", "gzip"));
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void whatIsInflatedIsLimited() throws Exception {
        byte[] bomb = pack("gzip", new byte[64 * RunningReplica.MAX_BODY]);
        assertThat(bomb.length).isLessThan(RunningReplica.MAX_BODY);
        var answer = send(infer(bomb).header("Content-Encoding", "gzip"));
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("larger than 1048576 bytes");
    }

    @Test
    void refusesWhatIsNotCompressedAsItSays() throws Exception {
        byte[] whole = pack("gzip", json());
        for (byte[] body : new byte[][] {json(), Arrays.copyOf(whole, whole.length - 9), {}}) {
            var answer = send(infer(body).header("Content-Encoding", "gzip"));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("the body is not gzip");
        }
        var answer = send(infer(json()).header("Content-Encoding", "br"));
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("gzip or deflate");
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    @Test
    void readsGzipOfSeveralMembersHoweverManyAreEmpty() throws Exception {
        byte[] json = json();
        byte[] empty = pack("gzip", new byte[0]);
        var members = new ByteArrayOutputStream();
        for (int i = 0; i < 30_000; i++) {
            members.writeBytes(empty);
        }
        members.writeBytes(pack("gzip", Arrays.copyOf(json, 40)));
        members.writeBytes(pack("gzip", Arrays.copyOfRange(json, 40, json.length)));
        assertThat(send(infer(members.toByteArray()).header("Content-Encoding", "gzip"))
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void refusesWhatFollowsTheCompressedData(String coding) throws Exception {
        byte[] body = concat(pack(coding, json()), new byte[] {'x'});
        var answer = send(infer(body).header("Content-Encoding", coding));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("something follows its compressed data");
    }
}
