package io.knabla.controller.local;

import io.knabla.controller.config.OomScore;
import io.knabla.controller.local.MemoryGuard.Hold;
import io.knabla.controller.platform.engine.EngineOutput;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs one engine job as a child process, and kills it when it exceeds its limits of time, memory or output. */
record EngineJobProcess(
        List<String> command, Map<String, String> environment, Path folder, Limits limits, MemoryGuard guard) {
    private static final Duration POLL = Duration.ofMillis(50);
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
            // The process ends before its guard does.
            try (Hold hold = guard.hold(process.toHandle(), limits.memory(), POLL)) {
                try {
                    return watch(process, hold, output, errors);
                } finally {
                    process.destroyForcibly();
                    process.waitFor();
                }
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

    private EngineResult watch(Process process, Hold hold, Path output, Path errors)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + limits.time().toNanos();
        while (!process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() - end > 0 || Files.size(output) > MOST_OUTPUT) {
                return new EngineResult.TooSlow(limits.time());
            }
        }
        OptionalLong used = hold.exceeded();
        if (used.isPresent()) {
            return new EngineResult.TooLarge(used.getAsLong(), limits.memory());
        }
        return EngineOutput.parse(process.exitValue(), text(output), text(errors));
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes((int) MOST_OUTPUT), StandardCharsets.UTF_8);
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
