package io.knabla.controller.aot;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Completes {@code target/quarkus-app} for a fast start of {@code up}, and of processes that use DuckDB: unpacks its
 * library, trains an AOT cache, writes {@code controller.args}.
 */
public final class AssembleController {
    private static final String READY = "Knabla is ready: ";
    private static final int ENDED_BY_SIGTERM = 143;
    private static final List<String> FLAGS = List.of(
            "-XX:+UseSerialGC",
            // Small: what is not used at once should not stay resident. Requests leave little behind.
            "-XX:MaxNewSize=64m",
            // The default, a sixty-fourth of the machine, would fill with garbage before the first full collection.
            "-XX:InitialHeapSize=64m",
            "-XX:MinHeapFreeRatio=15",
            "-XX:MaxHeapFreeRatio=30",
            // A heap that is full once is full again: whoever started the platform starts it anew.
            "-XX:+ExitOnOutOfMemoryError",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /** A quarter of the machine's memory, at most 8 GiB; -Xmx in JDK_JAVA_OPTIONS has precedence. */
    private static final List<String> HEAP_ON_A_MACHINE = List.of("-XX:MaxRAM=32g", "-XX:MaxRAMPercentage=25");

    private AssembleController() {}

    /** @param args the folder {@code target/quarkus-app}, and the root folder of the repository */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Path.of(args[1]).toAbsolutePath();
        var load = new ControllerTrainingLoad(Optional.of(root));
        assemble(AotCache.thisJava(), Path.of(args[0]).toAbsolutePath(), HEAP_ON_A_MACHINE, load);
    }

    /**
     * @param java executable that will run the controller of a cluster, which calls no function
     * @param folder a {@code quarkus-app}
     * @param options of the JVM that depend on where it runs, such as the bound of the heap
     */
    public static void assemble(Path java, Path folder, List<String> options) throws IOException, InterruptedException {
        assemble(java, folder, options, new ControllerTrainingLoad(Optional.empty()));
    }

    private static void assemble(Path java, Path folder, List<String> options, ControllerTrainingLoad load)
            throws IOException, InterruptedException {
        Path libraries = folder.resolve("lib/native");
        DuckDbLibrary.unpack(
                folder.resolve("lib/main"), libraries, System.getProperty("os.name"), System.getProperty("os.arch"));
        var cache = new AotCache(
                java,
                folder,
                "controller",
                Stream.of(FLAGS, options, List.of("-Djava.library.path=" + libraries))
                        .flatMap(List::stream)
                        .toList(),
                jars(folder),
                List.of("-jar", folder.resolve("quarkus-run.jar").toString()));
        cache.prepare(program -> startAndStop(program, cache.start(), load), ENDED_BY_SIGTERM);
    }

    private static int startAndStop(ProcessBuilder program, List<String> start, ControllerTrainingLoad load)
            throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("knabla-training");
        try {
            program.command().addAll(start);
            program.command().addAll(List.of("up", "--port", "0"));
            program.environment().put("KNABLA_HOME", home.toString());
            load.replicaHome().ifPresent(path -> program.environment().put("KNABLA_REPLICA_HOME", path.toString()));
            Process process = program.start();
            try (BufferedReader output = process.inputReader()) {
                String line = output.readLine();
                while (line != null && !line.startsWith(READY)) {
                    line = output.readLine();
                }
                if (line != null) {
                    load.run(URI.create(line.substring(READY.length()).strip()));
                }
                process.toHandle().destroy();
                return process.waitFor();
            }
        } finally {
            delete(home);
        }
    }

    private static List<Path> jars(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
