package io.knabla.runtime.assemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The AOT cache of a replica (JEP 514). Its name carries a digest of JDK, jar and flags, as the JVM
 * does not notice when one of them changes and would run old classes (JDK-8377932).
 */
final class AotCache {
    /**
     * The first compiler only: the second one compiles at once what the cache's profiles call hot.
     * Relative to Quarkus' start and to its non-blocking endpoint (1 MB model, JSON, interleaved):
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
     * <p>A replica owes 0.10 and 1.0, ten at once owe 0.10 as well and are bound by CPU time: only the
     * first row has room. The last would be the better bargain, but its flag is diagnostic.
     */
    private static final String COMPILER = "-XX:TieredStopAtLevel=1";

    private final Path folder;
    private final List<String> flags;
    private final Path cache;

    AotCache(Path folder) throws Exception {
        this.folder = folder;
        this.flags =
                List.of(
                        "-XX:+UseSerialGC",
                        COMPILER,
                        "-XX:-UsePerfData",
                        "-XX:MaxDirectMemorySize=4g",
                        "-Donnxruntime.native.path=" + folder.resolve("native"));
        this.cache = folder.resolve("replica-" + digest() + ".aot");
    }

    private String digest() throws Exception {
        var sha = MessageDigest.getInstance("SHA-256");
        sha.update(Runtime.version().toString().getBytes());
        sha.update(System.getProperty("java.vm.version").getBytes());
        sha.update(Files.readAllBytes(jar()));
        sha.update(String.join("\n", flags).getBytes());
        return HexFormat.of().formatHex(sha.digest(), 0, 8);
    }

    private Path jar() {
        return folder.resolve("replica.jar");
    }

    boolean isThere() {
        return Files.exists(cache);
    }

    void train(TrainingUnit unit) throws Exception {
        try (Stream<Path> old = Files.list(folder)) {
            for (Path file : old.filter(f -> f.toString().endsWith(".aot")).toList()) {
                Files.delete(file);
            }
        }
        try (var replica =
                new ReplicaProcess(command("-XX:AOTCacheOutput=" + cache), unit.environment())) {
            new TrainingLoad(replica.port()).run();
            replica.terminate();
        }
        if (!isThere()) {
            throw new IOException(
                    "the JVM wrote no AOT cache to " + cache + "; its output above says why");
        }
    }

    /** A cache that the JVM silently ignores would cost every start a tenth of a second. */
    void verify(TrainingUnit unit) throws Exception {
        var command = command("-XX:AOTMode=on", "-XX:AOTCache=" + cache);
        try (var replica = new ReplicaProcess(command, unit.environment())) {
            new TrainingLoad(replica.port()).run();
            replica.terminate();
        } catch (IOException refused) {
            Files.delete(cache);
            throw new IOException(
                    "this JVM refuses the AOT cache it has just made; its output above says why",
                    refused);
        }
    }

    void writeArguments() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("-XX:AOTCache=" + cache);
        lines.addAll(flags);
        lines.add("-jar");
        lines.add(jar().toString());
        Files.write(
                folder.resolve("replica.args"),
                lines.stream().map(line -> line.contains(" ") ? '"' + line + '"' : line).toList());
    }

    private List<String> command(String... aot) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(aot));
        command.addAll(flags);
        command.add("-jar");
        command.add(jar().toString());
        return command;
    }
}
