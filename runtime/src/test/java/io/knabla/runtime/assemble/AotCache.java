package io.knabla.runtime.assemble;

import io.knabla.runtime.assemble.Trainees.Trainee;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds a replica's AOT cache (JEP 514) and the argument file that uses it. Its name contains a digest of JDK, jars
 * and flags, because the JVM does not detect a change in them and would run old classes (JDK-8377932).
 */
final class AotCache {
    /**
     * Both compilers, without replay of the cache's profiles, which trigger many C2 compilations at once. Relative to
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
     * <p>The targets are 0.10 and 1.0, and 0.10 for a burst of ten. All rows but the second meet them; the last has the
     * best margin on both. Its flag is diagnostic: if a JDK drops it, {@link #verify} fails the build, and the first
     * row is the fallback.
     */
    private static final List<String> RUN = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTReplayTraining");

    private static final List<String> TRAIN = List.of("-XX:TieredStopAtLevel=1");

    /** Load for a training run: calls to the replica at this port. */
    interface Load {
        void run(int port) throws IOException;
    }

    private final Path java;
    private final Path folder;
    private final String name;
    private final List<String> flags;
    private final Path cache;

    /**
     * @param java the java launcher that will use the cache; must be the same build as this JVM
     * @param name base name of the files: {@code name.args}, {@code name-<digest>.aot}
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

    /** Trains with a replica of one unit. */
    void train(Trainee trainee) throws Exception {
        record(inAPod(trainee.unit()), List.of(), replica -> trainee.load().run(replica.port()));
    }

    /** Trains with a process that serves all the units, after it has warmed up as a pool member does. */
    void train(Trainees trainees) throws Exception {
        record(trainees.environment(), List.of("aot-training"), replica -> {
            for (Trainee trainee : trainees.all()) {
                replica.assign(inAPod(trainee.unit()));
                trainee.load().run(replica.port());
            }
        });
    }

    /** What a training run does with its process. */
    private interface Run {
        void with(ReplicaProcess replica) throws IOException;
    }

    private void record(Map<String, String> environment, List<String> mode, Run run) throws Exception {
        try (Stream<Path> old = Files.list(folder)) {
            for (Path file : old.filter(this::isOurs).toList()) {
                Files.delete(file);
            }
        }
        var command = command(TRAIN, "-XX:AOTCacheOutput=" + cache);
        command.addAll(mode);
        try (var replica = new ReplicaProcess(command, environment)) {
            run.with(replica);
            replica.terminate();
        }
        if (!isThere()) {
            throw new IOException("the JVM wrote no AOT cache to " + cache + "; its output above says why");
        }
    }

    /** With what Knative sets: the training run then also covers the cold-start report. */
    private static Map<String, String> inAPod(SampleUnit unit) {
        var environment = new HashMap<>(unit.environment());
        environment.put("K_REVISION", "training");
        return environment;
    }

    private boolean isOurs(Path file) {
        return file.getFileName().toString().matches(name + "-[0-9a-f]{16}\\.aot.*");
    }

    /** Fails if the JVM ignores the cache, which would cost every start a tenth of a second. */
    void verify(Trainee trainee) throws Exception {
        var command = command(RUN, "-XX:AOTMode=on", "-XX:AOTCache=" + cache);
        try (var replica = new ReplicaProcess(command, trainee.unit().environment())) {
            trainee.load().run(replica.port());
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
