package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Turns the HTTP answer of {@code infer} into a {@code ModelInferResponse} with raw contents. */
final class InferResponse {
    private static final String SIZE = "binary_data_size";

    private InferResponse() {}

    static WireWriter message(HttpResponse answer) throws IOException {
        int at = CallHeaders.jsonLength(answer.headers(), answer.length());
        Object head = Json.read(answer.body(), at);
        var message = new WireWriter(256 + answer.length() - at)
                .text(1, Json.text(head, "model_name"))
                .text(2, Json.text(head, "model_version"))
                .text(3, Json.text(head, "id"));
        parameters(message, Json.child(head, "parameters"));
        List<?> outputs = Json.list(head, "outputs");
        for (Object output : outputs) {
            var tensor = new WireWriter(64)
                    .text(1, Json.text(output, "name"))
                    .text(2, Json.text(output, "datatype"))
                    .packed(3, Json.list(output, "shape"));
            parameters(tensor, Json.child(output, "parameters"));
            message.message(5, tensor);
        }
        for (Object output : outputs) {
            // Clients count: an output that was written to shared memory has an entry, too.
            int size = (int) Json.number(Json.child(output, "parameters"), SIZE);
            message.bytes(6, answer.body(), at, size);
            at += size;
        }
        return message;
    }

    private static void parameters(WireWriter to, Object parameters) {
        if (parameters instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (!name.equals(SIZE)) {
                    to.message(4, new WireWriter(32).text(1, name.toString()).message(2, value(value)));
                }
            });
        }
    }

    private static WireWriter value(Object value) {
        var parameter = new WireWriter(16);
        return switch (value) {
            case Boolean flag -> parameter.flag(1, flag);
            case Long number -> parameter.number(2, number);
            case Double real -> parameter.real(4, real);
            case null -> parameter;
            default -> parameter.text(3, value.toString());
        };
    }
}
