package io.knabla.controller.local;

import io.knabla.controller.config.OomScore;
import io.knabla.controller.platform.engine.EngineOutput;
import io.knabla.controller.platform.engine.EngineResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs one engine job as a child process, and kills it when it exceeds its limits of time, memory or output. */
record EngineJobProcess(
        List<String> command, Map<String, String> environment, Path folder, Duration limit, long memoryBytes) {
    private static final long POLL_MILLIS = 50;
    /** Enough for the ranges of some 200,000 activations. */
    private static final long MOST_OUTPUT = 16 << 20;

    EngineResult run() {
        try {
            Files.createDirectories(folder);
            // Files, not pipes: a process that writes without end cannot fill our memory.
            Path output = folder.resolve("output");
            Path errors = folder.resolve("errors");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            OomScore.raise(process);
            try {
                return watch(process, output, errors);
            } finally {
                process.destroyForcibly();
                process.waitFor();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot try the model with the engine", failed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while the engine tried a model", stopping);
        } finally {
            clean();
        }
    }

    private EngineResult watch(Process process, Path output, Path errors) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            long used = anonymousBytes(process.pid());
            if (used > memoryBytes) {
                return new EngineResult.TooLarge(used);
            }
            if (System.nanoTime() - end > 0 || Files.size(output) > MOST_OUTPUT) {
                return new EngineResult.TooSlow(limit);
            }
        }
        return EngineOutput.parse(process.exitValue(), text(output), text(errors));
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes((int) MOST_OUTPUT), StandardCharsets.UTF_8);
        }
    }

    /** Without mapped weights, which are page cache and not the model's; 0 if the system does not report it. */
    private static long anonymousBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException noProc) {
            return 0;
        }
    }

    private void clean() {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException left) {
            System.getLogger(EngineJobProcess.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + folder, left);
        }
    }
}
