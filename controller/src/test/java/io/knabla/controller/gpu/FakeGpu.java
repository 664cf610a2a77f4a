package io.knabla.controller.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine with a GPU, as far as the platform sees: the folder that {@code runtime/gpu-fake/prepare} prepared, of
 * which each test has its own. Its CUDA provider is the real one.
 */
record FakeGpu(Path home) implements AutoCloseable {
    static FakeGpu open() throws IOException {
        String prepared = System.getProperty("gpu.fake", "");
        if (prepared.isBlank()) {
            throw new IllegalStateException("gpu.fake is not set; run these tests with ./knabla test gpu");
        }
        var gpu = new FakeGpu(Files.createTempDirectory("knabla-gpu"));
        gpu.copy(Path.of(prepared));
        Files.createDirectory(gpu.settings());
        return gpu;
    }

    /** Links to the provider, which is large. */
    private void copy(Path prepared) throws IOException {
        try (Stream<Path> files = Files.walk(prepared)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path own = home.resolve(prepared.relativize(file).toString());
                Files.createDirectories(own.getParent());
                if (Files.isSymbolicLink(file)) {
                    Files.createSymbolicLink(own, file);
                } else {
                    Files.copy(file, own);
                }
            }
        }
    }

    private Path settings() {
        return home.resolve("nvidia/cu13/lib/fake");
    }

    /** Sets one of the settings that {@code cudart.c} explains, also for processes that run. */
    void set(String name, long value) throws IOException {
        Path written = Files.writeString(settings().resolve(name + ".new"), Long.toString(value));
        Files.move(written, settings().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    void unset(String name) throws IOException {
        Files.deleteIfExists(settings().resolve(name));
    }

    /** What is given once is no more set when a process took it. */
    boolean isSet(String name) {
        return Files.exists(settings().resolve(name));
    }

    List<String> log() throws IOException {
        Path log = settings().resolve("log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** Takes a library away. */
    void hide(String library) throws IOException {
        Files.delete(find(library));
    }

    private Path find(String library) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(file -> file.endsWith(library)).findFirst().orElseThrow();
        }
    }

    /** Variables of a process on this machine; the driver is where the system's loader looks. */
    Map<String, String> environment() {
        return Map.of(
                "KNABLA_CUDA_HOME",
                home.toString(),
                "LD_LIBRARY_PATH",
                home.resolve("driver").toString(),
                "KNABLA_CALIBRATION_DIVISOR",
                "64");
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
