package io.knabla.controller.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that public generators make of the OpenAPI documents: of the control API, and of a function with its own
 * tensors. They are compiled, and a small program of this repository calls the platform through them.
 */
class GeneratedClientsOnPlatform {
    private static final Path PROGRAMS = Path.of("src/test/generated").toAbsolutePath();
    private static final String GENERATOR = "org.openapitools:openapi-generator-cli:7.25.0";

    @TempDir
    static Path home;

    private static ClientTargets targets;
    private static String server;

    @TempDir
    Path work;

    @BeforeAll
    static void start() throws Exception {
        targets = new ClientTargets(home, Map.of());
        targets.add("lecture");
        server = targets.onPlatform().get("server");
    }

    @AfterAll
    static void stop() {
        targets.close();
    }

    @Test
    void typescript() throws Exception {
        copy("typescript");
        download();
        install("npm", "install", "--no-audit", "--no-fund", "--loglevel=error");
        for (String api : List.of("control", "lecture")) {
            run("npx", "--no-install", "openapi-typescript", api + ".json", "-o", api + ".d.ts");
        }
        run("npx", "--no-install", "tsc", "-p", ".");
        run("node", "out/client.js", server);
    }

    @Test
    void java() throws Exception {
        copy("java");
        download();
        install(
                "mvn",
                "-q",
                "org.apache.maven.plugins:maven-dependency-plugin:copy",
                "-Dartifact=" + GENERATOR,
                "-DoutputDirectory=" + work,
                "-Dmdep.stripVersion=true");
        for (String api : List.of("control", "lecture")) {
            run(
                    java("java"),
                    "-jar",
                    "openapi-generator-cli.jar",
                    "generate",
                    "-i",
                    api + ".json",
                    "-g",
                    "java",
                    "--library",
                    "native",
                    "-o",
                    api,
                    "--additional-properties",
                    "useJakartaEe=true,openApiNullable=false,hideGenerationTimestamp=true,invokerPackage=%1$s,apiPackage=%1$s.api,modelPackage=%1$s.model"
                            .formatted(api));
        }
        compile();
        run(java("java"), "-cp", "out:" + System.getProperty("java.class.path"), "Client", server);
    }

    private void compile() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                java("javac"), "-nowarn", "-proc:none", "-d", "out", "-cp", System.getProperty("java.class.path")));
        for (String folder : List.of("control/src/main/java", "lecture/src/main/java", "Client.java")) {
            try (Stream<Path> files = Files.walk(work.resolve(folder))) {
                files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
            }
        }
        run(command.toArray(String[]::new));
    }

    private static String java(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program).toString();
    }

    private void copy(String program) throws IOException {
        try (Stream<Path> files = Files.list(PROGRAMS.resolve(program))) {
            for (Path file : files.toList()) {
                Files.copy(file, work.resolve(file.getFileName()));
            }
        }
    }

    private void download() throws IOException {
        download("control", server + "/q/openapi?format=json");
        download("lecture", server + "/functions/default/lecture/openapi.json");
    }

    private void download(String name, String url) throws IOException {
        try (var document = URI.create(url).toURL().openStream()) {
            Files.write(work.resolve(name + ".json"), document.readAllBytes());
        }
    }

    /** Skips the test where the tools cannot be had. */
    private void install(String... command) throws Exception {
        Path log = work.resolve("install.log");
        boolean installed = execute(log, command) == 0;
        if (!installed) {
            System.out.printf("client test: SKIPPED: %s failed%n", String.join(" ", command));
        }
        assumeTrue(installed, () -> String.join(" ", command) + " failed");
    }

    private void run(String... command) throws Exception {
        Path log = work.resolve("run.log");
        assertThat(execute(log, command))
                .as("%s, which wrote: %s", command[0], Files.readString(log))
                .isZero();
    }

    private int execute(Path log, String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                    .directory(work.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
        } catch (IOException missing) {
            Files.writeString(log, missing.getMessage());
            return 127;
        }
    }
}
