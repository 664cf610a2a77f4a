package io.knabla.runtime.inference;

import io.knabla.runtime.engine.BatchStatistics;
import io.knabla.runtime.engine.CudaDevice;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.GpuUtilization;
import io.knabla.runtime.serve.PrometheusText;

/** Metrics of a replica that computes on a GPU. Asks the device only when they are scraped. */
final class GpuMetrics {
    private GpuMetrics() {}

    /** @param labels of all series, without braces */
    static void append(StringBuilder text, String labels, Engine engine) {
        if (engine.settings().device() instanceof CudaDevice device) {
            String own = labels + ",gpu=\"" + device.index() + "\"";
            memory(text, own, device);
            device.utilization().ifPresent(use -> utilization(text, own, use));
            xids(text, own, engine);
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

    private static void utilization(StringBuilder text, String labels, GpuUtilization use) {
        ratio(text, labels, "knabla_gpu_utilization_ratio", "Part of the time in which the GPU computed", use.gpu());
        ratio(
                text,
                labels,
                "knabla_gpu_memory_utilization_ratio",
                "Part of the time in which the GPU's memory was read or written",
                use.memory());
    }

    private static void xids(StringBuilder text, String labels, Engine engine) {
        if (!engine.xids().isEmpty()) {
            PrometheusText.type(text, "knabla_gpu_xid_total", "counter", "Errors that NVIDIA's driver reported");
            engine.xids()
                    .forEach((xid, count) -> PrometheusText.line(
                            text, "knabla_gpu_xid_total", labels + ",xid=\"" + xid + "\"", count.sum()));
        }
    }

    private static void ratio(StringBuilder text, String labels, String name, String help, double value) {
        PrometheusText.type(text, name, "gauge", help);
        PrometheusText.line(text, name, labels, value);
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
