package io.knabla.runtime.inference;

import io.knabla.runtime.engine.BatchStatistics;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.serve.PrometheusText;

/** Metrics of a replica that computes on a GPU. Asks the device only when they are scraped. */
final class GpuMetrics {
    private GpuMetrics() {}

    /** @param labels of all series, without braces */
    static void append(StringBuilder text, String labels, Engine engine) {
        if (engine.settings().device() instanceof CudaDevice device) {
            String own = labels + ",gpu=\"" + device.index() + "\"";
            memory(text, own, device);
            PrometheusText.type(text, "knabla_gpu_run_microseconds_total", "counter", "Time of runs on the GPU");
            PrometheusText.line(text, "knabla_gpu_run_microseconds_total", own, nanos(engine) / 1000);
        }
    }

    private static void memory(StringBuilder text, String labels, CudaDevice device) {
        device.memory().ifPresent(memory -> {
            gauge(text, labels, "knabla_gpu_memory_bytes", "Memory of the GPU", memory.bytes());
            gauge(text, labels, "knabla_gpu_memory_used_bytes", "Of it, used by all processes", memory.used());
        });
        device.memoryLimit()
                .ifPresent(bytes -> gauge(
                        text,
                        labels,
                        "knabla_gpu_memory_limit_bytes",
                        "Most that a session of this replica holds",
                        bytes));
    }

    private static void gauge(StringBuilder text, String labels, String name, String help, long value) {
        PrometheusText.type(text, name, "gauge", help);
        PrometheusText.line(text, name, labels, value);
    }

    private static long nanos(Engine engine) {
        return engine.batches().counts().values().stream()
                .mapToLong(BatchStatistics.Count::nanos)
                .sum();
    }
}
