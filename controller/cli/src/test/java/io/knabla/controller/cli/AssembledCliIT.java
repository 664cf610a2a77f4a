package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks the folder that the build assembled for the command line: the classes that it can reach, and its start. */
@Timeout(60)
class AssembledCliIT {
    private static final Path FOLDER = Path.of("target/cli").toAbsolutePath();

    /** The server's frameworks, what builds images and AOT caches, and the engine. */
    private static final List<String> ELSEWHERE = List.of(
            "io/quarkus/",
            "io/smallrye/",
            "io/vertx/",
            "io/netty/",
            "jakarta/",
            "io/javaoperatorsdk/",
            "com/google/cloud/",
            "ai/onnxruntime/",
            "io/knabla/runtime/",
            "io/knabla/controller/app/",
            "io/knabla/controller/api/",
            "io/knabla/controller/images/",
            "io/knabla/controller/aot/");

    @Test
    void reachesNoClassOfTheServer() throws IOException {
        assertThat(classes())
                .contains("io/knabla/controller/cli/verbs/Main.class")
                .noneMatch(name -> ELSEWHERE.stream().anyMatch(name::startsWith));
    }

    private static List<String> classes() throws IOException {
        try (Stream<Path> jars = Files.list(FOLDER.resolve("lib"))) {
            return jars.flatMap(AssembledCliIT::classes).toList();
        }
    }

    private static Stream<String> classes(Path file) {
        try (var jar = new JarFile(file.toFile())) {
            return jar.stream().map(entry -> entry.getName()).filter(name -> name.endsWith(".class")).toList().stream();
        } catch (IOException damaged) {
            throw new AssertionError("no jar: " + file, damaged);
        }
    }

    /** {@code AOTMode=on} fails where the cache does not fit. */
    @Test
    void startsWithAotCache() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, "-XX:AOTMode=on", "@" + FOLDER.resolve("cli.args"), "--version")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).startsWith("knabla 0.1.0");
    }
}
