package io.knabla.runtime.serve;

import io.knabla.runtime.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests and renders them as Prometheus text, under the names that Triton's dashboards know. */
final class Metrics {
    private final LongAdder success = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder canceled = new LongAdder();
    private final LongAdder backend = new LongAdder();
    private final LongAdder other = new LongAdder();
    private final LongAdder duration = new LongAdder();
    private final LongAdder queue = new LongAdder();
    private final LongAdder infer = new LongAdder();

    void succeeded(long totalNanos, long queueNanos, long inferNanos) {
        success.increment();
        duration.add(totalNanos);
        queue.add(queueNanos);
        infer.add(inferNanos);
    }

    void failed(int status) {
        switch (status) {
            case 429, 503 -> rejected.increment();
            case 504 -> canceled.increment();
            case 500 -> backend.increment();
            default -> other.increment();
        }
    }

    byte[] render(String model, String version, Engine engine) {
        String labels = "model=\"" + model + "\",version=\"" + version + "\"";
        var text = new StringBuilder(2048);
        type(
                text,
                "nv_inference_request_success",
                "counter",
                "Number of successful inference requests");
        line(text, "nv_inference_request_success", labels, success.sum());
        type(
                text,
                "nv_inference_request_failure",
                "counter",
                "Number of failed inference requests");
        failure(text, labels, "REJECTED", rejected);
        failure(text, labels, "CANCELED", canceled);
        failure(text, labels, "BACKEND", backend);
        failure(text, labels, "OTHER", other);
        one(
                text,
                labels,
                "nv_inference_count",
                "counter",
                "Number of inferences performed",
                success.sum());
        one(
                text,
                labels,
                "nv_inference_exec_count",
                "counter",
                "Number of model executions performed (less than inferences when batched)",
                engine == null ? 0 : engine.runs());
        one(
                text,
                labels,
                "nv_inference_request_duration_us",
                "counter",
                "Cumulative request time in microseconds",
                duration.sum() / 1000);
        one(
                text,
                labels,
                "nv_inference_queue_duration_us",
                "counter",
                "Cumulative time in the queue in microseconds",
                queue.sum() / 1000);
        one(
                text,
                labels,
                "nv_inference_compute_infer_duration_us",
                "counter",
                "Cumulative time in the engine in microseconds",
                infer.sum() / 1000);
        one(
                text,
                labels,
                "nv_inference_pending_request_count",
                "gauge",
                "Requests waiting for the engine",
                engine == null ? 0 : engine.waiting());
        one(
                text,
                labels,
                "knabla_running_request_count",
                "gauge",
                "Runs in the engine now",
                engine == null ? 0 : engine.running());
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void failure(StringBuilder text, String labels, String reason, LongAdder count) {
        line(
                text,
                "nv_inference_request_failure",
                labels + ",reason=\"" + reason + "\"",
                count.sum());
    }

    private static void one(
            StringBuilder text, String labels, String name, String type, String help, long value) {
        type(text, name, type, help);
        line(text, name, labels, value);
    }

    private static void type(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String labels, long value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }
}
