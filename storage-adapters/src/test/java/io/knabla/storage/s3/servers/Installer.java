package io.knabla.storage.s3.servers;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Installs programs once into a cache folder of the tests, and reports it. */
final class Installer {
    private static final String MARK = "knabla-installed";

    private final Path cache;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final Map<Program, InstallResult> known = new HashMap<>();

    Installer(Path cache, Map<String, String> environment, PrintStream out) {
        this.cache = cache;
        this.environment = environment;
        this.out = out;
    }

    /** KNABLA_TEST_CACHE, or {@code knabla/s3-servers} in the user's cache folder. */
    static Path cache(Map<String, String> environment, Path home) {
        String own = environment.getOrDefault("KNABLA_TEST_CACHE", "");
        if (!own.isBlank()) {
            return Path.of(own).toAbsolutePath();
        }
        String users = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = users.isBlank() ? home.resolve(".cache") : Path.of(users);
        return base.resolve("knabla").resolve("s3-servers");
    }

    /** Returns the same result on repeated calls, without a retry: an unavailable network stays unavailable. */
    synchronized InstallResult install(Program program) {
        return known.computeIfAbsent(program, this::locked);
    }

    /** Locks out other processes: two test runs must not write into one folder. */
    private InstallResult locked(Program program) {
        try {
            Files.createDirectories(cache);
            try (FileChannel channel = FileChannel.open(
                            cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                return held.isValid() ? unlessThere(program) : impossible(program, "no lock");
            }
        } catch (IOException failed) {
            return impossible(program, cache + " cannot be written: " + failed);
        }
    }

    private InstallResult unlessThere(Program program) throws IOException {
        Path folder = cache.resolve(program.folder());
        if (Files.exists(folder.resolve(MARK))) {
            return new InstallResult.At(folder);
        }
        TempFolders.delete(folder);
        Path log = cache.resolve(program.folder() + ".log");
        Optional<String> trouble = switch (program) {
            case Program.PyPi pypi -> withPip(pypi, folder, log);
            case Program.GoModule module -> withGo(module, folder, log);
        };
        if (trouble.isPresent()) {
            return impossible(program, trouble.get());
        }
        Files.createFile(folder.resolve(MARK));
        return new InstallResult.At(folder);
    }

    private Optional<String> withPip(Program.PyPi program, Path folder, Path log) {
        var shell = new Shell(environment, log);
        if (shell.run(List.of("python3", "--version")).isPresent()) {
            return Optional.of("python3 was not found");
        }
        List<String> pip = List.of("python3", "-m", "pip");
        if (shell.run(List.of("python3", "-m", "pip", "--version")).isPresent()) {
            // Debian's python3 has no pip, but its venv may have one.
            Path venv = cache.resolve("pip");
            if (shell.run(List.of("python3", "-m", "venv", venv.toString())).isPresent()) {
                return Optional.of("python3 has neither pip nor venv");
            }
            pip = List.of(venv.resolve("bin/python").toString(), "-m", "pip");
        }
        return running(program, folder, shell, program.install(pip, folder));
    }

    private Optional<String> withGo(Program.GoModule program, Path folder, Path log) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("GOBIN", folder.toString());
        var shell = new Shell(all, log);
        if (shell.run(List.of("go", "version")).isPresent()) {
            return Optional.of("go was not found");
        }
        return running(program, folder, shell, program.install());
    }

    private Optional<String> running(Program program, Path folder, Shell shell, List<String> command) {
        out.printf(
                "third-party programs: installing %s into %s: %s%n",
                program.title(), folder, String.join(" ", command));
        return shell.run(command);
    }

    private static InstallResult impossible(Program program, String why) {
        return new InstallResult.Impossible("%s cannot be installed: %s".formatted(program.title(), why));
    }
}
