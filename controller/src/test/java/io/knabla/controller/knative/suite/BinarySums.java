package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;

/** The sample {@code add-sub}, asked with tensors that follow the JSON as bytes, and answered in the same way. */
final class BinarySums {
    private BinarySums() {}

    static int[] of(Functions functions) throws IOException {
        byte[] head = """
                {"inputs": [
                  {"name": "INPUT0", "datatype": "INT32", "shape": [1, 16],
                   "parameters": {"binary_data_size": 64}},
                  {"name": "INPUT1", "datatype": "INT32", "shape": [1, 16],
                   "parameters": {"binary_data_size": 64}}],
                 "outputs": [{"name": "OUTPUT0", "parameters": {"binary_data": true}}]}
                """.getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(head.length + 128)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(head);
        IntStream.range(0, 16).forEach(body::putInt);
        IntStream.range(0, 16).forEach(_ -> body.putInt(1));
        HttpResponse<byte[]> answer = functions.post(
                "add-sub",
                "/v2/models/add-sub/infer",
                body.array(),
                Map.of("Inference-Header-Content-Length", Integer.toString(head.length)));
        assertThat(answer.statusCode()).isEqualTo(200);
        int skip = Integer.parseInt(
                answer.headers().firstValue("Inference-Header-Content-Length").orElseThrow());
        var sums = ByteBuffer.wrap(answer.body(), skip, answer.body().length - skip)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer();
        int[] numbers = new int[sums.remaining()];
        sums.get(numbers);
        return numbers;
    }
}
