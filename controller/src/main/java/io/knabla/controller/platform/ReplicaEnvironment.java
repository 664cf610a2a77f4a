package io.knabla.controller.platform;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.runtime.paths.TextPaths;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Builds the environment variables that configure a replica; the same for a process and a pod. */
public final class ReplicaEnvironment {
    private static final long MIB = 1L << 20;
    private static final long LEAST_HEAP = 32 * MIB;
    /** Heap of a replica whose function declares no memory, in bytes. */
    public static final long DEFAULT_HEAP = 256 * MIB;

    /** What a process of the replica's program computes on; without it, on the CPU. */
    public static final String DEVICE = "KNABLA_DEVICE";

    private static final String GPU_PARTS = "KNABLA_GPU_PARTS";

    /** The largest array. */
    private static final long MOST_BODY = Integer.MAX_VALUE - 8;

    private ReplicaEnvironment() {}

    /** Variables that a process of the replica's program needs before it knows its function. */
    public static Map<String, String> ofProcess() {
        return Map.of("ORT_DISABLE_TELEMETRY", "1", "MALLOC_ARENA_MAX", "1");
    }

    /** @param store location of the unit, such as {@code s3://bucket/prefix} */
    public static Map<String, String> of(FunctionId function, Version version, String store) {
        FunctionSpec spec = version.spec();
        Map<String, String> environment = new TreeMap<>(ofProcess());
        environment.put("KNABLA_UNIT", version.unit().value());
        environment.put("KNABLA_STORE", store);
        environment.put("KNABLA_MODEL_NAME", spec.modelInterface().servedName().orElse(function.name()));
        environment.put("KNABLA_MODEL_VERSION", Integer.toString(version.number()));
        environment.put("KNABLA_CONCURRENCY", Integer.toString(spec.scaling().concurrency()));
        environment.put("KNABLA_QUEUE", Integer.toString(queue(spec)));
        environment.put("KNABLA_TIMEOUT_MS", Long.toString(spec.timeout().toMillis()));
        environment.put(
                "KNABLA_BATCH_MAX_SIZE", Integer.toString(spec.batching().maxSize()));
        environment.put(
                "KNABLA_BATCH_MAX_DELAY_MS",
                Long.toString(spec.batching().maxDelay().toMillis()));
        environment.put("KNABLA_THREADS", Long.toString(spec.resources().threads()));
        environment.put("KNABLA_MAX_BODY_BYTES", Long.toString(maxBodyBytes(spec)));
        StateKeys.of(function, version).ifPresent(key -> environment.put("KNABLA_STATE", key.path()));
        return environment;
    }

    /**
     * Where prompts are read for a replica; nothing for one that reads its own.
     *
     * @param root address of a function in the same namespace, by its name
     * @param key that is asked for there; empty for none
     */
    public static Map<String, String> ofPrefill(FunctionSpec spec, UnaryOperator<String> root, String key) {
        return spec.generation()
                .prefill()
                .map(prefill -> Map.of(
                        "KNABLA_PREFILL_URL",
                        root.apply(prefill.function()) + TextPaths.PREFIX_BLOCKS,
                        "KNABLA_PREFILL_KEY",
                        key))
                .orElse(Map.of());
    }

    /**
     * What a replica on this pool computes on; nothing for the CPU.
     *
     * @param parts shares of the GPU, of whose memory it may have one
     */
    public static Map<String, String> ofDevice(Pool pool, int parts) {
        return switch (pool) {
            case cpu, auto -> Map.of();
            case gpu ->
                parts == 1 ? Map.of(DEVICE, "cuda") : Map.of(DEVICE, "cuda", GPU_PARTS, Integer.toString(parts));
        };
    }

    /** Mapped weights and tensors are outside the heap, so the heap gets half of the memory. */
    public static long heapBytes(FunctionSpec spec) {
        return spec.resources()
                .memoryBytes()
                .map(bytes -> Math.max(LEAST_HEAP, bytes / 2))
                .orElse(DEFAULT_HEAP);
    }

    /** Largest body of a request: a quarter of the function's memory, since JSON and a response are in the heap. */
    public static long maxBodyBytes(FunctionSpec spec) {
        return Math.min(MOST_BODY, heapBytes(spec) / 2);
    }

    /** Requests wait in the gateway; this queue only holds what the gateway sends at once. */
    private static int queue(FunctionSpec spec) {
        return Math.max(100, 2 * spec.batching().maxSize());
    }
}
