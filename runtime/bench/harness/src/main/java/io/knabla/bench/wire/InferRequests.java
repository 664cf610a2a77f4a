package io.knabla.bench.wire;

import io.knabla.bench.model.BenchModel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds Open Inference Protocol v2 requests with one row as raw HTTP bytes. */
final class InferRequests {
    static final String HEADER_LENGTH = "Inference-Header-Content-Length";

    private InferRequests() {}

    static byte[] json(String host, String path, BenchModel model) {
        String body = "{\"inputs\":[{%s,\"data\":%s}]}".formatted(describe(model), Arrays.toString(model.input()));
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return http(host, path, "Content-Type: application/json\r\n", bytes);
    }

    static byte[] binary(String host, String path, BenchModel model) {
        int size = model.input().length * Float.BYTES;
        byte[] header = ("{\"inputs\":[{%s,\"parameters\":{\"binary_data_size\":%d}}],"
                        + "\"parameters\":{\"binary_data_output\":true}}")
                .formatted(describe(model), size)
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(header.length + size)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(header);
        body.asFloatBuffer().put(model.input());
        String fields = "Content-Type: application/octet-stream\r\n%s: %d\r\n".formatted(HEADER_LENGTH, header.length);
        return http(host, path, fields, body.array());
    }

    private static String describe(BenchModel model) {
        return "\"name\":\"%s\",\"datatype\":\"FP32\",\"shape\":[1,%d]"
                .formatted(model.inputName(), model.input().length);
    }

    private static byte[] http(String host, String path, String fields, byte[] body) {
        String head = "POST %s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(path, host, fields, body.length);
        var out = new ByteArrayOutputStream();
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(body);
        return out.toByteArray();
    }
}
