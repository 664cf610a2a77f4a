package io.knabla.controller.local;

import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.home.ReplicaArguments;
import io.knabla.controller.local.pool.PoolMember;
import io.knabla.controller.local.pool.PoolVariant;
import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.machine.ProcessMemory;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.GpuShare;
import io.knabla.functions.unit.cache.CacheBound;
import io.knabla.runtime.paths.FunctionPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Command line, environment and memory of a replica's process.
 *
 * @param variant members of the pool that can stand for the process
 * @param command of a process that is started for the replica
 * @param environment complete; the controller's own variables may hold secrets, and only the inherited ones and those
 *     that open a store in S3 are passed on
 */
record ReplicaCommand(PoolVariant variant, List<String> command, Map<String, String> environment, MemoryLimit memory) {
    private static final long MIB = 1L << 20;

    /** Variables that a process needs to find libraries, use the right locale and share a cache. */
    private static final List<String> INHERITED =
            List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", CacheBound.SETTING);

    /** Whether a process of the pool can be told its environment. */
    boolean mayBePooled() {
        return PoolMember.canCarry(environment);
    }

    /** Command line of a replica that declares nothing; the pool keeps those before it knows what is needed. */
    static PoolVariant usual(LocalSettings settings) {
        return new PoolVariant(java(settings, ReplicaEnvironment.DEFAULT_HEAP, ReplicaArguments.Readers));
    }

    private static List<String> java(LocalSettings settings, long heapBytes, ReplicaArguments arguments) {
        return List.of(
                settings.java().toString(),
                "-Xmx" + heapBytes / MIB + "m",
                // Of the last crash: each takes the place of the one before.
                "-XX:ErrorFile=" + settings.logs().resolve("crash.log"),
                "@" + arguments.beside(settings.replicaArgs()));
    }

    /** The command line with a folder for temporary files. */
    static List<String> command(List<String> java, Path temp) {
        List<String> command = new ArrayList<>(java);
        command.add(command.size() - 1, "-Djava.io.tmpdir=" + temp);
        return command;
    }

    /** The part of the environment that replicas of all functions have. */
    static Map<String, String> common(LocalSettings settings, Map<String, String> surroundings) {
        Map<String, String> environment = new TreeMap<>(ReplicaEnvironment.ofProcess());
        for (String name : INHERITED) {
            if (surroundings.containsKey(name)) {
                environment.put(name, surroundings.get(name));
            }
        }
        environment.putAll(settings.store().forProcesses());
        return environment;
    }

    /** A replica that starts before the server listens reads its own prompts. */
    private static Map<String, String> prefill(ReplicaAccess access, ReplicaRequest request) {
        String namespace = request.function().namespace();
        return access.url()
                .map(url -> ReplicaEnvironment.ofPrefill(
                        request.version().spec(), name -> url + FunctionPath.root(namespace, name), access.key()))
                .orElse(Map.of());
    }

    static ReplicaCommand of(
            LocalSettings settings, ReplicaRequest request, String token, Path temp, Map<String, String> surroundings) {
        FunctionSpec spec = request.version().spec();
        long heapBytes = ReplicaEnvironment.heapBytes(spec);
        ReplicaArguments arguments = settings.store().arguments(ReplicaArguments.of(spec));
        ReplicaArguments pooled = arguments == ReplicaArguments.Writers ? arguments : ReplicaArguments.Readers;
        Map<String, String> environment = common(settings, surroundings);
        environment.putAll(ReplicaEnvironment.of(
                request.function(), request.version(), settings.store().location()));
        // More threads than cores only wait for each other.
        environment.put(
                "KNABLA_THREADS",
                Long.toString(Math.min(
                        spec.resources().threads(), Runtime.getRuntime().availableProcessors())));
        environment.put("KNABLA_CACHE", settings.cache().toString());
        environment.put("PORT", "0");
        environment.put("KNABLA_HOST", "127.0.0.1");
        environment.put("KNABLA_REPLICA_TOKEN", token);
        environment.put("KNABLA_STDIN_WATCH", "1");
        environment.putAll(prefill(settings.access(), request));
        environment.putAll(LocalGpu.environment(
                spec.chosenPool(), GpuShare.parts(spec.resources().gpu()), surroundings));
        return new ReplicaCommand(
                new PoolVariant(java(settings, heapBytes, pooled), LocalGpu.ofMember(spec.chosenPool(), surroundings)),
                command(java(settings, heapBytes, arguments), temp),
                Map.copyOf(environment),
                MemoryLimit.ofReplica(spec.resources().memoryBytes(), ProcessMemory.machineBytes()));
    }
}
