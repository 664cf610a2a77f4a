package io.knabla.runtime.inference;

import io.knabla.runtime.engine.BatchStatistics;
import io.knabla.runtime.protocol.JsonWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Statistics of {@code infer} since the start of this replica, in the form of Triton's statistics extension. They add
 * up: the time of the successful requests is the sum of queue, input, engine and output, and the rows of all runs are
 * the inferences.
 */
final class InferStatistics {
    private final Sum success = new Sum();
    private final Sum fail = new Sum();
    private final Sum queue = new Sum();
    private final Sum input = new Sum();
    private final Sum infer = new Sum();
    private final Sum output = new Sum();
    private volatile long lastMillis;

    private static final class Sum {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        void add(long more) {
            count.increment();
            nanos.add(more);
        }
    }

    /**
     * @param totalNanos from arrival to the encoded response
     * @param queueNanos from arrival to the run, including {@code inputNanos}
     * @param inputNanos to decode the request
     */
    void succeeded(long totalNanos, long queueNanos, long inputNanos, long inferNanos) {
        success.add(totalNanos);
        queue.add(queueNanos - inputNanos);
        input.add(inputNanos);
        infer.add(inferNanos);
        output.add(totalNanos - queueNanos - inferNanos);
        lastMillis = System.currentTimeMillis();
    }

    void failed(long nanos) {
        fail.add(nanos);
        lastMillis = System.currentTimeMillis();
    }

    /** @param batches runs by their number of rows */
    byte[] json(String model, String version, Map<Long, BatchStatistics.Count> batches) {
        long runs = 0;
        long rows = 0;
        for (var batch : batches.entrySet()) {
            runs += batch.getValue().runs();
            rows += batch.getKey() * batch.getValue().runs();
        }
        var json = new JsonWriter(1024);
        json.raw("{\"model_stats\":[{\"name\":")
                .text(model)
                .raw(",\"version\":")
                .text(version);
        json.raw(",\"last_inference\":").number(lastMillis);
        json.raw(",\"inference_count\":")
                .number(rows)
                .raw(",\"execution_count\":")
                .number(runs);
        json.raw(",\"inference_stats\":{");
        sums(json);
        json.raw("},\"response_stats\":{},\"batch_stats\":[");
        String separator = "";
        for (var batch : batches.entrySet()) {
            json.raw(separator).raw("{\"batch_size\":").number(batch.getKey());
            // Requests are decoded and encoded one by one, before and after the run.
            time(json.raw(","), "compute_input", batch.getValue().runs(), 0);
            time(
                    json.raw(","),
                    "compute_infer",
                    batch.getValue().runs(),
                    batch.getValue().nanos());
            time(json.raw(","), "compute_output", batch.getValue().runs(), 0);
            json.raw("}");
            separator = ",";
        }
        json.raw("],\"memory_usage\":[]}]}");
        return Arrays.copyOf(json.bytes(), json.size());
    }

    private void sums(JsonWriter json) {
        sum(json, "success", success);
        sum(json.raw(","), "fail", fail);
        sum(json.raw(","), "queue", queue);
        sum(json.raw(","), "compute_input", input);
        sum(json.raw(","), "compute_infer", infer);
        sum(json.raw(","), "compute_output", output);
        time(json.raw(","), "cache_hit", 0, 0);
        time(json.raw(","), "cache_miss", 0, 0);
    }

    private static void sum(JsonWriter json, String name, Sum sum) {
        time(json, name, sum.count.sum(), sum.nanos.sum());
    }

    private static void time(JsonWriter json, String name, long count, long nanos) {
        json.raw("\"" + name + "\":{\"count\":")
                .number(count)
                .raw(",\"ns\":")
                .number(nanos)
                .raw("}");
    }
}
