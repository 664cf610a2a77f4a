package io.knabla.bench.server;

import io.knabla.bench.machine.ChildProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The process of a replica, started as the controller starts it.
 *
 * @param arguments file with which a process of its own starts
 * @param settings additional environment variables, such as for batching
 */
record ReplicaProcess(Distribution distribution, Path arguments, PackagedUnit packed, Map<String, String> settings) {
    static final String MODEL = "bench";

    private static final Map<String, String> PROCESS = Map.of("ORT_DISABLE_TELEMETRY", "1", "MALLOC_ARENA_MAX", "1");

    /** What the controller adds for members of its pool; see {@code PoolProcesses} there. */
    private static final List<String> POOLED = List.of(
            "-Xmx256m",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0",
            "-XX:TrimNativeHeapInterval=10000");

    ChildProcess.Command command(int port) {
        Map<String, String> environment = unitEnvironment(port);
        environment.putAll(PROCESS);
        return new ChildProcess.Command(
                List.of(distribution.java().toString(), "-Djava.io.tmpdir={tmp}", "@" + arguments), environment);
    }

    ChildProcess.Command poolMember() {
        List<String> command = new ArrayList<>(POOLED);
        command.addFirst(distribution.java().toString());
        command.addAll(List.of("-Djava.io.tmpdir={tmp}", "@" + distribution.readerArguments(), "pooled"));
        return new ChildProcess.Command(command, PROCESS);
    }

    byte[] assignment(int port) {
        StringBuilder entries = new StringBuilder();
        unitEnvironment(port)
                .forEach((name, value) ->
                        entries.append(name).append('=').append(value).append('\0'));
        return entries.append('\0').toString().getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, String> unitEnvironment(int port) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("KNABLA_UNIT", packed.unit().toString());
        environment.put("KNABLA_STORE", packed.store().toString());
        environment.put("KNABLA_CACHE", packed.cache().toString());
        environment.put("KNABLA_MODEL_NAME", MODEL);
        environment.put("KNABLA_MODEL_VERSION", "1");
        environment.put("PORT", Integer.toString(port));
        return environment;
    }
}
