package io.knabla.runtime.assemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * An AOT cache of a replica (JEP 514) and the arguments that use it. Its name carries a digest of JDK, jars and flags,
 * as the JVM does not notice when one of them changes and would run old classes (JDK-8377932).
 */
final class AotCache {
    /**
     * Both compilers, but without the cache's profiles, which make the second one compile much at once. Relative to
     * Quarkus' start and to its non-blocking endpoint (1 MB model, JSON, interleaved):
     *
     * <pre>
     *                                          start            request
     *                                          elapsed   CPU    CPU
     * first compiler only                      0.070     0.066  0.81
     * both                                     0.095     0.104  0.55
     * both, -XX:-AOTReplayTraining, the cache
     * trained by the first only                0.082     0.083  0.59
     * </pre>
     *
     * <p>A replica owes 0.10 and 1.0, ten at once owe 0.10 as well: all rows but the second meet that, and the last has
     * the most room on both sides. Its flag is diagnostic: a JDK that drops it ends the build in {@link #verify}, and
     * the first row is the way back.
     */
    private static final List<String> RUN = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTReplayTraining");

    private static final List<String> TRAIN = List.of("-XX:TieredStopAtLevel=1");

    /** What a run trains with: calls to the replica at this port. */
    interface Load {
        void run(int port) throws IOException;
    }

    private final Path java;
    private final Path folder;
    private final String name;
    private final List<String> flags;
    private final Path cache;

    /**
     * @param java the one that will run it; of the same build as this one
     * @param name of the files that are made: {@code name.args}, {@code name-<digest>.aot}
     */
    AotCache(Path java, Path folder, String name) throws Exception {
        this.java = java;
        this.folder = folder;
        this.name = name;
        this.flags = List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:MaxDirectMemorySize=4g",
                "-Donnxruntime.native.path=" + folder.resolve("native"));
        this.cache = folder.resolve(name + "-" + digest() + ".aot");
    }

    private String digest() throws Exception {
        var sha = MessageDigest.getInstance("SHA-256");
        sha.update(Runtime.version().toString().getBytes());
        sha.update(System.getProperty("java.vm.version").getBytes());
        sha.update(Files.readAllBytes(jar()));
        sha.update(Files.readAllBytes(folder.resolve("s3.jar")));
        for (List<String> part : List.of(flags, RUN, TRAIN)) {
            sha.update(String.join("\n", part).getBytes());
        }
        return HexFormat.of().formatHex(sha.digest(), 0, 8);
    }

    private Path jar() {
        return folder.resolve("replica.jar");
    }

    boolean isThere() {
        return Files.exists(cache);
    }

    void train(TrainingUnit unit, Load load) throws Exception {
        try (Stream<Path> old = Files.list(folder)) {
            for (Path file : old.filter(this::isOurs).toList()) {
                Files.delete(file);
            }
        }
        var environment = new HashMap<>(unit.environment());
        // Knative's name for it: what only a cluster's first callers are told is trained as well.
        environment.put("K_REVISION", "training");
        try (var replica = new ReplicaProcess(command(TRAIN, "-XX:AOTCacheOutput=" + cache), environment)) {
            load.run(replica.port());
            replica.terminate();
        }
        if (!isThere()) {
            throw new IOException("the JVM wrote no AOT cache to " + cache + "; its output above says why");
        }
    }

    private boolean isOurs(Path file) {
        return file.getFileName().toString().matches(name + "-[0-9a-f]{16}\\.aot.*");
    }

    /** A cache that the JVM silently ignores would cost every start a tenth of a second. */
    void verify(TrainingUnit unit, Load load) throws Exception {
        var command = command(RUN, "-XX:AOTMode=on", "-XX:AOTCache=" + cache);
        try (var replica = new ReplicaProcess(command, unit.environment())) {
            load.run(replica.port());
            replica.terminate();
        } catch (IOException refused) {
            Files.delete(cache);
            throw new IOException(
                    "this JVM refuses the AOT cache it has just made; its output above says why", refused);
        }
    }

    void writeArguments() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("-XX:AOTCache=" + cache);
        lines.addAll(RUN);
        lines.addAll(flags);
        lines.add("-jar");
        lines.add(jar().toString());
        Files.write(
                folder.resolve(name + ".args"),
                lines.stream()
                        .map(line -> line.contains(" ") ? '"' + line + '"' : line)
                        .toList());
    }

    private List<String> command(List<String> compiler, String... aot) {
        var command = new ArrayList<String>();
        command.add(java.toString());
        command.addAll(compiler);
        command.addAll(List.of(aot));
        command.addAll(flags);
        command.add("-jar");
        command.add(jar().toString());
        return command;
    }
}
