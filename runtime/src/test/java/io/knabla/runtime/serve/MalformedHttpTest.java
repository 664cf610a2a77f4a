package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends malformed HTTP. Each test reads until the replica closes, so a hang fails it. */
@Timeout(300)
class MalformedHttpTest {
    private static final String BODY =
            "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,1],\"datatype\":\"FP32\",\"data\":[4]}]}";
    private static final String POST = "POST /v2/models/m/infer HTTP/1.1\r\nHost: x\r\n";
    private static RunningReplica m;

    @BeforeAll
    static void start() throws IOException {
        m = new RunningReplica(Onnx.dynamic(), RunningReplica.PLAIN);
    }

    @AfterAll
    static void stop() throws IOException {
        m.close();
    }

    /** Sends the bytes, shuts down the output and returns everything received until the end. */
    private static String talk(String bytes) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), m.port)) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Host: x¶Content-Length: 5¶Transfer-Encoding: chunked¶|400",
                "Host: x¶Transfer-Encoding: chunked¶Transfer-Encoding: chunked¶|400",
                "Host: x¶Transfer-Encoding: gzip, chunked¶|501",
                "Host: x¶Content-Length: 5¶Content-Length: 6¶|400",
                "Host: x¶Content-Length: +5¶|400",
                "Host: x¶Content-Length: 5, 5¶|400",
                "Host: x¶Content-Length: -1¶|400",
                "Host: x¶Content-Length: 99999999999¶|413",
                "Host: x¶Content-Length : 5¶|400",
                "Host: x¶X: a¶ folded¶|400",
                "Host: x¶X: a¬Y: b¶|400",
                "Host: x¶Host: y¶|400",
                "X: no host¶|400",
                "Host: x¶Expect: a miracle¶|417"
            })
    void refusesAmbiguousHeads(String head, String status) throws Exception {
        String request = "POST /v2/models/m/infer HTTP/1.1¶" + head + "¶";
        String answer = talk(request.replace("¶", "\r\n").replace("¬", "\n"));
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status)
                .contains("Connection: close")
                .contains("{\"error\":");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /v2 HTTP/2.0,505",
        "GET  /v2 HTTP/1.1,400",
        "GET /v2,400",
        "GET ?x HTTP/1.1,400",
        "GET http://x/v2 HTTP/1.1,400",
        "G(T /v2 HTTP/1.1,400"
    })
    void refusesMalformedRequestLines(String line, String status) throws Exception {
        assertThat(talk(line + "\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void boundsTheHead() throws Exception {
        assertThat(talk("GET /v2 HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
        assertThat(talk("GET /v2 HTTP/1.1\r\nHost: x\r\n" + "X: a\r\n".repeat(200) + "\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void readsChunks() throws Exception {
        String half = BODY.substring(0, 20);
        String rest = BODY.substring(20);
        String chunks = "14;x=y\r\n"
                + half
                + "\r\n"
                + Integer.toHexString(rest.length())
                + "\r\n"
                + rest
                + "\r\n0\r\nTrailer: t\r\n\r\n";
        assertThat(talk(POST + "Transfer-Encoding: chunked\r\n\r\n" + chunks)).contains("\"data\":[8.0]");
    }

    @ParameterizedTest
    @CsvSource({"zz¶,400", "5¶abcdeX,400", "fffffffff¶,400", "7fffffff¶,413", "5¬abc,400", "¶,400"})
    void refusesBadChunks(String chunk, String status) throws Exception {
        assertThat(talk(POST
                        + "Transfer-Encoding: chunked\r\n\r\n"
                        + chunk.replace("¶", "\r\n").replace("¬", "\n")))
                .startsWith("HTTP/1.1 " + status);
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        String one = POST + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
        String answers = talk(one + "GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n" + one.replace("[4]", "[5]"));
        assertThat(answers).containsSubsequence("\"data\":[8.0]", "\"live\":true}", "\"data\":[10.0]");
    }

    @Test
    void sendsContinueForExpectHeader() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), m.port)) {
            var out = socket.getOutputStream();
            out.write((POST + "Expect: 100-continue\r\nContent-Length: " + BODY.length() + "\r\n\r\n").getBytes());
            byte[] leave = socket.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length());
            assertThat(new String(leave)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            out.write(BODY.getBytes());
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void sendsNoBodyForHead() throws Exception {
        assertThat(talk("HEAD /v2 HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    @Test
    void survivesPeersThatDisconnectAnywhere() throws Exception {
        String whole = POST + "Content-Length: " + BODY.length() + "\r\n\r\n" + BODY;
        for (int length = 0; length < whole.length(); length += 3) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), m.port)) {
                socket.getOutputStream().write(whole.substring(0, length).getBytes());
            }
        }
        assertThat(m.get("/v2/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void doesNotReadBodyOfRejectedRequest() throws Exception {
        String answer = talk("POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 404").contains("Connection: close");
    }
}
