package io.knabla.controller.local;

import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.storage.ObjectKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Command line, environment and memory of a replica's process.
 *
 * @param environment complete; the controller's own variables may hold secrets, and only the inherited ones and those
 *     that open a store in S3 are passed on
 */
record ReplicaCommand(List<String> command, Map<String, String> environment, MemoryLimit memory) {
    private static final long MIB = 1L << 20;

    /** Variables that a process needs to find libraries, use the right locale and share a cache. */
    private static final List<String> INHERITED =
            List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", CacheBound.SETTING);

    static ReplicaCommand of(
            LocalSettings settings, ReplicaRequest request, String token, Path temp, Map<String, String> surroundings) {
        Optional<ObjectKey> state = StateKeys.of(request.function(), request.version());
        List<String> command = List.of(
                settings.java().toString(),
                "-Xmx" + ReplicaEnvironment.heapBytes(request.version().spec()) / MIB + "m",
                "-Djava.io.tmpdir=" + temp,
                "@" + settings.store().arguments(settings.replicaArgs(), state.isPresent()));
        Map<String, String> environment = new TreeMap<>();
        for (String name : INHERITED) {
            if (surroundings.containsKey(name)) {
                environment.put(name, surroundings.get(name));
            }
        }
        environment.putAll(settings.store().forProcesses());
        environment.putAll(ReplicaEnvironment.of(
                request.function(), request.version(), settings.store().location()));
        environment.put("KNABLA_CACHE", settings.cache().toString());
        environment.put("PORT", "0");
        environment.put("KNABLA_HOST", "127.0.0.1");
        environment.put("KNABLA_REPLICA_TOKEN", token);
        environment.put("KNABLA_STDIN_WATCH", "1");
        return new ReplicaCommand(
                command,
                Map.copyOf(environment),
                MemoryLimit.ofReplica(
                        request.version().spec().resources().memoryBytes(), ProcessMemory.machineBytes()));
    }
}
