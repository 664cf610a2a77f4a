package io.knabla.controller.images;

import io.knabla.controller.aot.AssembleController;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.images.Image.Layer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Builds the image of the controller, which runs {@code up} on Knative. */
final class ControllerImage {
    private static final Path PROGRAM = Path.of("app");
    private static final Path START = Path.of("start");
    private static final String ARGUMENTS = "controller.args";
    private static final int PORT = 8080;

    /** Modules that code finds by name only, so no class file refers to them. */
    private static final Set<String> BY_NAME = Set.of("jdk.zipfs", "jdk.management");

    /** Of the pod's memory limit; the kubelet starts the controller again after it ran out. */
    private static final List<String> HEAP_IN_A_POD = List.of("-XX:MaxRAMPercentage=60");

    private final Jvm jvm;
    private final Path built;

    /** @param built {@code quarkus-app} */
    ControllerImage(Jvm jvm, Path built) {
        this.jvm = jvm;
        this.built = BuildOutput.file(built, "quarkus-run.jar").getParent();
    }

    Image stage(Path folder) throws IOException {
        List<Path> program = program();
        Path tree = new Staging(folder)
                .dependsOn(jvm.buildId(), String.join(" ", HEAP_IN_A_POD))
                .dependsOn(program)
                .tree(fresh -> fill(fresh, program));
        return new Image(
                "controller",
                "Knabla controller: the operator of Functions and their API",
                List.of(
                        new Layer("jvm", tree, List.of(Jvm.FOLDER)),
                        new Layer("libraries", tree, List.of(PROGRAM.resolve("lib"))),
                        new Layer(
                                "program",
                                tree,
                                List.of(
                                        PROGRAM.resolve("app"),
                                        PROGRAM.resolve("quarkus"),
                                        PROGRAM.resolve("quarkus-run.jar"))),
                        new Layer("start", tree, List.of(START))),
                List.of(Image.ROOT + "/" + Jvm.FOLDER + "/bin/java", "@" + Image.ROOT + "/" + START + "/" + ARGUMENTS),
                List.of("up"),
                Map.of(
                        "KNABLA_CLUSTER_KIND", "Knative",
                        "KNABLA_HOME", "/home/knabla",
                        "KNABLA_HOST", "0.0.0.0",
                        "MALLOC_ARENA_MAX", "2"),
                PORT);
    }

    private void fill(Path tree, List<Path> program) throws IOException {
        var modules = new TreeSet<>(BY_NAME);
        modules.addAll(UsedModules.by(BuildOutput.jars(built)));
        jvm.link(modules, tree);
        Path app = tree.resolve(PROGRAM);
        for (Path file : program) {
            Staging.copy(file, app.resolve(built.relativize(file)).getParent());
        }
        Staging.setTimestamps(tree);
        train(tree, app);
    }

    /** Trains the AOT cache as the build does for this machine, with the JVM of the image. */
    private static void train(Path tree, Path app) throws IOException {
        try {
            AssembleController.assemble(Jvm.java(tree), app, HEAP_IN_A_POD);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted");
        }
        Path start = Files.createDirectories(tree.resolve(START));
        Path cache = BuildOutput.single(app, "controller-.*\\.aot");
        Path moved = Files.move(cache, start.resolve(cache.getFileName()));
        List<String> lines = Files.readAllLines(app.resolve(ARGUMENTS)).stream()
                .map(line -> line.replace(cache.toString(), moved.toString()))
                .map(line -> line.replace(tree.toString(), Image.ROOT))
                .toList();
        Files.write(start.resolve(ARGUMENTS), lines);
    }

    /** Files of the program, without the AOT cache and the arguments that the build made for this machine. */
    private List<Path> program() throws IOException {
        try (Stream<Path> files = Files.walk(built)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> built.relativize(file).getNameCount() > 1 || file.endsWith("quarkus-run.jar"))
                    .sorted()
                    .toList();
        }
    }
}
