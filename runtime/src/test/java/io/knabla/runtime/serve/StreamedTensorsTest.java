package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Binary tensors above a mebibyte, which are read from the connection straight into the engine's memory. */
class StreamedTensorsTest {
    private static final int MOST = 16 << 20;
    private static final int SIZE = 3 << 20;

    private static RunningReplica replica;

    @BeforeAll
    static void start() throws IOException {
        replica = RunningReplica.withBodies(MOST, TestModels.identity(ElementType.FLOAT));
    }

    @AfterAll
    static void stop() throws IOException {
        replica.close();
    }

    private static byte[] data() {
        byte[] data = new byte[SIZE];
        new Random(7).nextBytes(data);
        return data;
    }

    private static byte[] json(String datatype, int elements, int bytes) {
        return """
                {"parameters":{"binary_data_output":true},"inputs":[{"name":"x","shape":[%d],"datatype":"%s","parameters":{"binary_data_size":%d}}]}""".formatted(elements, datatype, bytes).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] join(byte[] json, byte[] data) {
        byte[] body = Arrays.copyOf(json, json.length + data.length);
        System.arraycopy(data, 0, body, json.length, data.length);
        return body;
    }

    private static byte[] tensor(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        int json = (int) response.headers()
                .firstValueAsLong("Inference-Header-Content-Length")
                .orElseThrow();
        return Arrays.copyOfRange(response.body(), json, response.body().length);
    }

    @Test
    void arriveAsTheyWereSent() throws Exception {
        byte[] json = json("FP32", SIZE / 4, SIZE);
        assertThat(tensor(replica.infer(join(json, data()), json.length))).isEqualTo(data());
        // Without JSON the body is the tensor.
        assertThat(tensor(replica.infer(data(), 0))).isEqualTo(data());
    }

    @Test
    void holdTextsToo() throws Exception {
        var texts = ByteBuffer.allocate(2 * (4 + SIZE / 2)).order(ByteOrder.LITTLE_ENDIAN);
        for (String text : new String[] {"a".repeat(SIZE / 2), "b".repeat(SIZE / 2)}) {
            texts.putInt(text.length()).put(text.getBytes(StandardCharsets.UTF_8));
        }
        byte[] json = json("BYTES", 2, texts.capacity());
        try (var echo = RunningReplica.withBodies(MOST, TestModels.identity(ElementType.STRING))) {
            assertThat(tensor(echo.infer(join(json, texts.array()), json.length)))
                    .isEqualTo(texts.array());
        }
    }

    @Test
    void mustBeAsLongAsTheJsonSays() throws Exception {
        for (int claimed : new int[] {SIZE - 4, SIZE + 4}) {
            byte[] json = json("FP32", claimed / 4, claimed);
            var answer = replica.infer(join(json, data()), json.length);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("bytes of binary data");
        }
    }

    private static void send(Socket socket, long length, int json) throws IOException {
        socket.getOutputStream()
                .write(
                        "POST /v2/models/m/infer HTTP/1.1\r\nHost: m\r\nContent-Length: %d\r\nInference-Header-Content-Length: %d\r\n\r\n"
                                .formatted(length, json)
                                .getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void areLimited() throws Exception {
        try (var socket = new Socket("127.0.0.1", replica.port)) {
            send(socket, MOST + 1L, 100);
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void aClientThatLeavesWithinThemHoldsNothing() throws Exception {
        byte[] json = json("FP32", SIZE / 4, SIZE);
        // More in all than the server may hold at once.
        long times = Runtime.getRuntime().maxMemory() / SIZE;
        for (long i = 0; i < times; i++) {
            try (var socket = new Socket("127.0.0.1", replica.port)) {
                send(socket, json.length + SIZE, json.length);
                socket.getOutputStream().write(json);
                socket.getOutputStream().write(new byte[100]);
            }
        }
        assertThat(tensor(replica.infer(join(json, data()), json.length))).isEqualTo(data());
    }
}
