package io.knabla.runtime.grpc;

import java.util.List;

/** Turns Triton's statistics and configuration of models from JSON into the messages of its gRPC service. */
final class ModelState {
    private static final List<String> TIMES = List.of(
            "success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss");
    private static final List<String> BATCH_TIMES = List.of("compute_input", "compute_infer", "compute_output");

    /** Triton's enumeration of element types, in its order. */
    private static final List<String> TYPES = List.of(
            "TYPE_INVALID",
            "TYPE_BOOL",
            "TYPE_UINT8",
            "TYPE_UINT16",
            "TYPE_UINT32",
            "TYPE_UINT64",
            "TYPE_INT8",
            "TYPE_INT16",
            "TYPE_INT32",
            "TYPE_INT64",
            "TYPE_FP16",
            "TYPE_FP32",
            "TYPE_FP64",
            "TYPE_STRING",
            "TYPE_BF16");

    private ModelState() {}

    /** {@code ModelStatisticsResponse}. */
    static WireWriter statistics(Object json) {
        var message = new WireWriter(512);
        for (Object model : Json.list(json, "model_stats")) {
            var statistics = new WireWriter(256)
                    .text(1, Json.text(model, "name"))
                    .text(2, Json.text(model, "version"))
                    .number(3, Json.number(model, "last_inference"))
                    .number(4, Json.number(model, "inference_count"))
                    .number(5, Json.number(model, "execution_count"))
                    .message(6, times(new WireWriter(128), 1, TIMES, Json.child(model, "inference_stats")));
            for (Object batch : Json.list(model, "batch_stats")) {
                var size = new WireWriter(64).number(1, Json.number(batch, "batch_size"));
                statistics.message(7, times(size, 2, BATCH_TIMES, batch));
            }
            message.message(1, statistics);
        }
        return message;
    }

    private static WireWriter times(WireWriter to, int first, List<String> names, Object json) {
        for (int i = 0; i < names.size(); i++) {
            Object time = Json.child(json, names.get(i));
            var duration =
                    new WireWriter(24).number(1, Json.number(time, "count")).number(2, Json.number(time, "ns"));
            to.message(first + i, duration);
        }
        return to;
    }

    /** {@code ModelConfigResponse}, with the fields that have a meaning here. */
    static WireWriter configuration(Object json) {
        var config = new WireWriter(256)
                .text(1, Json.text(json, "name"))
                .text(2, Json.text(json, "platform"))
                .number(4, Json.number(json, "max_batch_size"))
                .text(17, Json.text(json, "backend"));
        Json.list(json, "input").forEach(input -> config.message(5, tensor(input, 4)));
        Json.list(json, "output").forEach(output -> config.message(6, tensor(output, 3)));
        return new WireWriter(256).message(1, config);
    }

    private static WireWriter tensor(Object json, int dimensions) {
        return new WireWriter(64)
                .text(1, Json.text(json, "name"))
                .number(2, Math.max(0, TYPES.indexOf(Json.text(json, "data_type"))))
                .packed(dimensions, Json.list(json, "dims"));
    }
}
