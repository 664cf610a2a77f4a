package io.knabla.controller.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A Python script {@code NAME.py} with the packages that {@code NAME.txt} beside it requires, and with the Python that
 * its first line may ask for: {@code # python >= 3.12}. They are installed once, into an environment in the user's
 * cache; where Python or the packages cannot be had, the test is skipped.
 */
record PythonScript(String name) {
    private static final Path FOLDER = Path.of("src/test/python/clients").toAbsolutePath();
    private static final Pattern LEAST = Pattern.compile("# python >= 3\\.(\\d+)");
    private static final String MARK = "knabla-installed";

    /** Runs the script to its end and fails with its output unless its exit code is 0. */
    void run(Map<String, String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                environment().resolve("bin/python").toString(),
                FOLDER.resolve(name + ".py").toString()));
        arguments.forEach((key, value) -> command.add(key + "=" + value));
        Path log = Files.createTempFile("knabla-" + name, ".log");
        int code = execute(command, log);
        assertThat(code)
                .as("%s, which wrote: %s", String.join(" ", command), Files.readString(log))
                .isZero();
        Files.delete(log);
    }

    private Path environment() throws IOException, InterruptedException {
        byte[] requirements = Files.readAllBytes(FOLDER.resolve(name + ".txt"));
        var sum = new CRC32();
        sum.update(requirements);
        Path cache = cache();
        Files.createDirectories(cache);
        // Scripts with the same requirements share them.
        String same = "%08x".formatted(sum.getValue());
        Path folder = cache.resolve(same);
        // Locks out other test runs.
        try (var channel = FileChannel.open(
                        cache.resolve(same + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            if (held.isValid() && !Files.exists(folder.resolve(MARK))) {
                install(folder, cache.resolve(name + ".log"));
            }
        }
        return folder;
    }

    private void install(Path folder, Path log) throws IOException, InterruptedException {
        System.out.printf("client test: installing %s.txt into %s%n", name, folder);
        Optional<String> python = python(log);
        boolean made = python.isPresent()
                && execute(List.of(python.get(), "-m", "venv", "--clear", folder.toString()), log) == 0
                && execute(pip(folder), log) == 0;
        if (!made) {
            System.out.printf("client test: SKIPPED %s: its packages cannot be installed; see %s%n", name, log);
        }
        assumeTrue(made, () -> "its packages cannot be installed; see " + log);
        Files.createFile(folder.resolve(MARK));
    }

    /** The first Python that is new enough: of the path, then of pyenv. */
    private Optional<String> python(Path log) throws IOException, InterruptedException {
        Matcher least = LEAST.matcher(Files.readString(FOLDER.resolve(name + ".txt")));
        String enough =
                "import sys; sys.exit(sys.version_info < (3, %s))".formatted(least.lookingAt() ? least.group(1) : 0);
        for (String candidate : pythons()) {
            if (execute(List.of(candidate, "-c", enough), log) == 0) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private static List<String> pythons() throws IOException {
        List<String> pythons = new ArrayList<>(List.of("python3", "python3.14", "python3.13", "python3.12"));
        Path versions = Path.of(System.getProperty("user.home"), ".pyenv", "versions");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> installed = Files.list(versions)) {
                installed
                        .sorted()
                        .map(version -> version.resolve("bin/python3").toString())
                        .forEach(pythons::add);
            }
        }
        return pythons;
    }

    private List<String> pip(Path folder) {
        String requirements = FOLDER.resolve(name + ".txt").toString();
        // Compiling all modules takes longer than to unpack them; few are imported.
        return List.of(
                folder.resolve("bin/python").toString(),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-compile",
                "-r",
                requirements);
    }

    private static int execute(List<String> command, Path log) throws IOException, InterruptedException {
        Files.write(log, (String.join(" ", command) + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .waitFor();
        } catch (IOException missing) {
            Files.writeString(log, missing.getMessage(), StandardOpenOption.APPEND);
            return 127;
        }
    }

    /** KNABLA_TEST_CACHE, or {@code knabla/clients} in the user's cache folder. */
    private static Path cache() {
        String own = System.getenv().getOrDefault("KNABLA_TEST_CACHE", "");
        return own.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "knabla", "clients")
                : Path.of(own).toAbsolutePath().resolve("clients");
    }
}
