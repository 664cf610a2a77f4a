package io.knabla.runtime.gpu;

import io.knabla.runtime.assemble.SampleUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The fake CUDA runtime of {@code runtime/gpu-fake}, in a folder of packages of its own, from which a test may take
 * libraries away. ONNX Runtime's CUDA provider in it is the real one.
 *
 * @param home a folder as pip's, of what {@code runtime/gpu-fake/prepare} prepared
 * @param settings how the fake runtime is steered, and its log
 */
public record FakeCuda(Path home, Path settings) implements AutoCloseable {
    /** The folder that prepare printed: ./knabla test gpu sets it. */
    private static final String PREPARED = "gpu.fake";

    public static FakeCuda open() throws IOException {
        String prepared = System.getProperty(PREPARED, "");
        if (prepared.isBlank()) {
            throw new IllegalStateException(PREPARED + " is not set; run these tests with ./knabla test gpu");
        }
        Path home = Files.createTempDirectory("knabla-gpu");
        var fake = new FakeCuda(home, home.resolve("nvidia/cu13/lib/fake"));
        fake.copy(Path.of(prepared));
        Files.createDirectory(fake.settings);
        return fake;
    }

    /** Links to the real provider, which is large; and copies, as the fake libraries look for settings beside them. */
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

    /** Takes a library away: it is found in no folder then. */
    public void hide(String library) throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            Files.delete(files.filter(file -> file.endsWith(library))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no " + library)));
        }
    }

    /** Sets one of the settings that {@code cudart.c} and {@code nvml.c} explain, also for processes that run. */
    public void set(String name, long value) throws IOException {
        Path written = Files.writeString(settings.resolve(name + ".new"), Long.toString(value));
        Files.move(written, settings.resolve(name), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    public void unset(String name) throws IOException {
        Files.deleteIfExists(settings.resolve(name));
    }

    /** Sets what is taken once, and waits until a process took it. */
    public void give(String name, long value) throws IOException {
        set(name, value);
        while (Files.exists(settings.resolve(name))) {
            Thread.onSpinWait();
        }
    }

    /** What the fake runtime did so far. */
    public List<String> log() throws IOException {
        Path log = settings.resolve("log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    /** Variables of a process that sees this GPU; the driver is where the system's loader looks. */
    public Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("KNABLA_CUDA_HOME", home.toString());
        environment.put("LD_LIBRARY_PATH", home.resolve("driver").toString());
        environment.put("ORT_DISABLE_TELEMETRY", "1");
        return environment;
    }

    /** The same for a replica that was asked to compute on it. */
    public Map<String, String> replica(SampleUnit unit) {
        return replica(unit.environment());
    }

    /** @param unit variables that name a unit and its store */
    public Map<String, String> replica(Map<String, String> unit) {
        Map<String, String> all = new HashMap<>(unit);
        all.putAll(environment());
        all.put("KNABLA_DEVICE", "cuda");
        return all;
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
