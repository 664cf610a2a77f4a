package io.knabla.controller.cluster.local;

import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.cluster.ReplicaRequest;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.storage.ObjectKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The process to start for a replica: a pure answer.
 *
 * @param environment the whole of it; of the controller's own variables, which may hold secrets, only
 *     those are handed down that open a store in S3
 */
record ReplicaCommand(List<String> command, Map<String, String> environment) {
    private static final long MIB = 1L << 20;
    private static final long LEAST_HEAP = 32 * MIB;
    private static final long DEFAULT_HEAP = 256 * MIB;
    private static final long MOST_BODY = 64 * MIB;

    /** What a process needs from its surroundings to find libraries, speak the right language and share a cache. */
    private static final List<String> INHERITED =
            List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", CacheBound.SETTING);

    static ReplicaCommand of(
            LocalSettings settings,
            ReplicaRequest request,
            String token,
            Path temp,
            Map<String, String> surroundings) {
        FunctionSpec spec = request.version().spec();
        long heap = heap(spec);
        Optional<ObjectKey> state = StateKeys.of(request.function(), request.version());
        List<String> command =
                List.of(
                        settings.java().toString(),
                        "-Xmx" + heap / MIB + "m",
                        "-Djava.io.tmpdir=" + temp,
                        "@"
                                + settings.store()
                                        .arguments(settings.replicaArgs(), state.isPresent()));
        Map<String, String> environment = new TreeMap<>();
        for (String name : INHERITED) {
            if (surroundings.containsKey(name)) {
                environment.put(name, surroundings.get(name));
            }
        }
        environment.putAll(settings.store().forProcesses());
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        environment.put("MALLOC_ARENA_MAX", "1");
        environment.put("KNABLA_UNIT", request.version().unit().value());
        environment.put("KNABLA_STORE", settings.store().location());
        environment.put("KNABLA_CACHE", settings.cache().toString());
        environment.put("PORT", "0");
        environment.put("KNABLA_HOST", "127.0.0.1");
        environment.put("KNABLA_MODEL_NAME", request.function().name());
        environment.put("KNABLA_MODEL_VERSION", Integer.toString(request.version().number()));
        environment.put("KNABLA_CONCURRENCY", Integer.toString(spec.scaling().concurrency()));
        environment.put("KNABLA_QUEUE", Integer.toString(queue(spec)));
        environment.put("KNABLA_TIMEOUT_MS", Long.toString(spec.timeout().toMillis()));
        environment.put("KNABLA_BATCH_MAX_SIZE", Integer.toString(spec.batching().maxSize()));
        environment.put(
                "KNABLA_BATCH_MAX_DELAY_MS", Long.toString(spec.batching().maxDelay().toMillis()));
        environment.put("KNABLA_THREADS", Long.toString(spec.resources().threads()));
        environment.put("KNABLA_MAX_BODY_BYTES", Long.toString(Math.min(MOST_BODY, heap / 4)));
        environment.put("KNABLA_REPLICA_TOKEN", token);
        environment.put("KNABLA_STDIN_WATCH", "1");
        state.ifPresent(key -> environment.put("KNABLA_STATE", key.path()));
        return new ReplicaCommand(command, Map.copyOf(environment));
    }

    /** Weights are mapped and tensors lie outside the heap, so it gets half of the memory. */
    private static long heap(FunctionSpec spec) {
        return spec.resources()
                .memoryBytes()
                .map(bytes -> Math.max(LEAST_HEAP, bytes / 2))
                .orElse(DEFAULT_HEAP);
    }

    /** The gateway queues; here must only fit what it hands over at once. */
    private static int queue(FunctionSpec spec) {
        return Math.max(100, 2 * spec.batching().maxSize());
    }
}
