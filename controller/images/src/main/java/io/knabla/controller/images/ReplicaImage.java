package io.knabla.controller.images;

import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds the image of all replicas; each loads its unit from the store. */
final class ReplicaImage {
    /**
     * The pod's memory limit bounds the heap. ArchiveRelocationMode=0 maps the AOT cache at the address where it was
     * trained: relocating it would cost 15 MiB of a pod's memory. That flag is diagnostic and must be unlocked.
     */
    private static final List<String> IN_A_POD = List.of(
            "-XX:MaxRAMPercentage=30",
            "-XX:MinRAMPercentage=30",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0");

    /**
     * Names of the AOT caches and argument files: for replicas of graphs, for those of all types and for pool members,
     * and for those that write to the store.
     */
    private static final List<String> TRAINED = List.of("replica", "replica-all", "replica-s3");

    private static final String ARGUMENTS = ".args";
    private static final int PORT = 8080;

    private final Jvm jvm;
    private final List<Path> jars;
    private final List<Path> libraries;
    private final Path assembly;

    /** @param built {@code runtime/target} */
    ReplicaImage(Jvm jvm, Path built) throws IOException {
        this.jvm = jvm;
        this.jars = List.of(BuildOutput.file(built, "replica/replica.jar"), BuildOutput.file(built, "replica/s3.jar"));
        this.libraries = files(BuildOutput.file(built, "replica/native"));
        this.assembly = BuildOutput.file(built, "assemble.args");
    }

    Image stage(Path folder) throws IOException {
        var inputs = new ArrayList<>(jars);
        inputs.addAll(libraries);
        Path tree = new Staging(folder)
                .dependsOn(jvm.buildId(), String.join(" ", IN_A_POD))
                .dependsOn(inputs)
                .tree(fresh -> {
                    jvm.link(UsedModules.by(jars), fresh);
                    for (Path jar : jars) {
                        Staging.copy(jar, fresh);
                    }
                    for (Path library : libraries) {
                        Staging.copy(library, fresh.resolve("native"));
                    }
                    Staging.setTimestamps(fresh);
                    train(fresh);
                });
        return image(tree);
    }

    /** Trains the AOT caches with the runtime's own assembly program and the JVM of the image. */
    private void train(Path tree) throws IOException {
        ProcessRunner.run(List.of(
                jvm.java().toString(),
                "@" + assembly,
                tree.toString(),
                Jvm.java(tree).toString()));
        for (String name : TRAINED) {
            Path arguments = tree.resolve(name + ARGUMENTS);
            var lines = new ArrayList<>(IN_A_POD);
            Files.readAllLines(arguments).stream()
                    .map(line -> line.replace(tree.toString(), Image.ROOT))
                    .forEach(lines::add);
            Files.write(arguments, lines);
        }
    }

    private static Image image(Path tree) throws IOException {
        List<Path> starts = new ArrayList<>();
        for (String name : TRAINED) {
            starts.add(BuildOutput.single(tree, name + "-[0-9a-f]*\\.aot").getFileName());
            starts.add(Path.of(name + ARGUMENTS));
        }
        return new Image(
                "replica",
                "Knabla replica: serves one function's unit over HTTP",
                List.of(
                        new Layer("jvm", tree, List.of(Jvm.FOLDER)),
                        new Layer("engine", tree, List.of(Path.of("native"))),
                        new Layer("program", tree, List.of(Path.of("replica.jar"), Path.of("s3.jar"))),
                        new Layer("start", tree, starts)),
                List.of(Image.ROOT + "/jvm/bin/java"),
                List.of("@" + Image.ROOT + "/" + TRAINED.getFirst() + ARGUMENTS),
                Map.of("ORT_DISABLE_TELEMETRY", "1", "MALLOC_ARENA_MAX", "1"),
                PORT);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }
}
