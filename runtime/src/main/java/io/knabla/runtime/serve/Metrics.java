package io.knabla.runtime.serve;

import static io.knabla.runtime.serve.PrometheusText.line;
import static io.knabla.runtime.serve.PrometheusText.type;

import io.knabla.functions.unit.usage.Counters;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests and renders the counters as Prometheus text, under Triton's metric names. What is counted here is
 * also what the replica's usage says. Thread-safe.
 */
public final class Metrics {
    private final LongAdder success = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder canceled = new LongAdder();
    private final LongAdder backend = new LongAdder();
    private final LongAdder other = new LongAdder();
    private final LongAdder duration = new LongAdder();
    private final LongAdder queue = new LongAdder();
    private final LongAdder infer = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder elements = new LongAdder();
    private final WorkCounters counters = new WorkCounters();
    private final RequestLatencies answered = new RequestLatencies();
    private final RequestLatencies refused = new RequestLatencies();
    private final RequestLatencies broken = new RequestLatencies();

    Metrics() {}

    /**
     * Counts a request that was answered.
     *
     * @param totalNanos from its arrival to its answer
     * @param queueNanos from its arrival to its run; 0 if it had none
     * @param inferNanos of its run; 0 if it had none
     */
    public void succeeded(long totalNanos, long queueNanos, long inferNanos) {
        success.increment();
        answered.record(totalNanos);
        duration.add(totalNanos);
        busy.add(totalNanos);
        queue.add(queueNanos);
        infer.add(inferNanos);
    }

    /** @param tensorElements of an answered request, inputs and outputs */
    public void counted(long tensorElements) {
        elements.add(tensorElements);
    }

    /** Adds to a counter of work that only some replicas have. */
    public void counted(String counter, long more) {
        counters.add(counter, more);
    }

    /**
     * Counts a request that was refused or failed.
     *
     * @param totalNanos from its arrival to its answer
     */
    public void failed(int status, long totalNanos) {
        (status >= 500 ? broken : refused).record(totalNanos);
        if (status >= 500) {
            failures.increment();
            busy.add(totalNanos);
        }
        switch (status) {
            case 429, 503 -> rejected.increment();
            case 504 -> canceled.increment();
            case 500 -> backend.increment();
            default -> other.increment();
        }
    }

    ReplicaTotals usage() {
        return new ReplicaTotals(
                success.sum(),
                failures.sum(),
                elements.sum(),
                busy.sum() / 1_000_000,
                ProcessResources.cpu().toMillis(),
                ProcessResources.residentBytes(),
                counters.counts());
    }

    /**
     * @param model null before it is loaded
     * @param start phases of this replica's start; empty where a gateway reports them
     */
    byte[] render(ReplicaSettings settings, ServedModel model, Optional<StartPhases> start) {
        String labels = "model=\"" + settings.model() + "\",version=\"" + settings.version() + "\"";
        var text = new StringBuilder(4096);
        type(text, "nv_inference_request_success", "counter", "Number of successful inference requests");
        line(text, "nv_inference_request_success", labels, success.sum());
        type(text, "nv_inference_request_failure", "counter", "Number of failed inference requests");
        failure(text, labels, "REJECTED", rejected);
        failure(text, labels, "CANCELED", canceled);
        failure(text, labels, "BACKEND", backend);
        failure(text, labels, "OTHER", other);
        long runs = model == null ? 0 : model.runs();
        counter(text, labels, "nv_inference_count", "Inferences", success.sum());
        counter(text, labels, "nv_inference_exec_count", "Runs; fewer when batched", runs);
        micros(text, labels, "nv_inference_request_duration_us", "Request time", duration);
        micros(text, labels, "nv_inference_queue_duration_us", "Queue time", queue);
        micros(text, labels, "nv_inference_compute_infer_duration_us", "Engine time", infer);
        long waiting = model == null ? 0 : model.waiting();
        type(text, "nv_inference_pending_request_count", "gauge", "Requests in the queue");
        line(text, "nv_inference_pending_request_count", labels, waiting);
        long running = model == null ? 0 : model.running();
        type(text, "knabla_running_request_count", "gauge", "Runs in the engine now");
        line(text, "knabla_running_request_count", labels, running);
        counter(text, labels, "knabla_tensor_elements_total", "Elements of answered requests", elements.sum());
        micros(text, labels, "knabla_busy_microseconds_total", "Time of answered and failed requests", busy);
        work(text, labels, counters.counts());
        latencies(text, labels);
        if (model != null) {
            model.metrics(text, labels);
        }
        start.ifPresent(phases -> start(text, labels, phases));
        process(text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void work(StringBuilder text, String labels, Counters counters) {
        if (!counters.isEmpty()) {
            type(text, Counters.METRIC, "counter", "Work of answered requests by what is counted");
        }
        counters.byName()
                .forEach((name, count) -> line(text, Counters.METRIC, labels + ",counter=\"" + name + "\"", count));
    }

    private void latencies(StringBuilder text, String labels) {
        type(text, RequestLatencies.NAME, "histogram", "Requests from arrival to the answer, by class of status");
        answered.append(text, labels + ",status=\"2xx\"");
        refused.append(text, labels + ",status=\"4xx\"");
        broken.append(text, labels + ",status=\"5xx\"");
    }

    private static void start(StringBuilder text, String labels, StartPhases phases) {
        type(text, "knabla_start_phase_milliseconds", "gauge", "Phases of this replica's start");
        phases.toMap()
                .forEach((phase, millis) ->
                        line(text, "knabla_start_phase_milliseconds", labels + ",phase=\"" + phase + "\"", millis));
    }

    /** The names and forms that every Prometheus client library uses. */
    private static void process(StringBuilder text) {
        type(text, "process_cpu_seconds_total", "counter", "CPU time of the process in seconds");
        text.append("process_cpu_seconds_total ")
                .append(ProcessResources.cpu().toMillis() / 1e3)
                .append('\n');
        type(text, "process_resident_memory_bytes", "gauge", "Resident memory of the process in bytes");
        text.append("process_resident_memory_bytes ")
                .append(ProcessResources.residentBytes())
                .append('\n');
    }

    private static void failure(StringBuilder text, String labels, String reason, LongAdder count) {
        line(text, "nv_inference_request_failure", labels + ",reason=\"" + reason + "\"", count.sum());
    }

    private static void micros(StringBuilder text, String labels, String name, String help, LongAdder nanos) {
        counter(text, labels, name, help + " in total, in microseconds", nanos.sum() / 1000);
    }

    private static void counter(StringBuilder text, String labels, String name, String help, long value) {
        type(text, name, "counter", help);
        line(text, name, labels, value);
    }
}
