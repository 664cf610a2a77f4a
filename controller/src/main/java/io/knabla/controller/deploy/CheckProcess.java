package io.knabla.controller.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.Expendable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of a replica's modes that end by themselves, watched until it ends or has to be ended. */
record CheckProcess(
        List<String> command,
        Map<String, String> environment,
        Path folder,
        Duration limit,
        long memoryBytes) {
    private static final long GLANCE_MILLIS = 50;
    private static final long MOST_OUTPUT = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<Integer, String> SIGNALS =
            Map.of(
                    4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11,
                    "SIGSEGV", 15, "SIGTERM");

    /** How it ended. */
    sealed interface Ended {
        /**
         * @param warning what did not go well and may yet be fine with real inputs
         * @param gradientCheck what was measured of the gradients, where there are some
         * @param unit the one that was made of it, where that was asked for
         */
        record Passed(
                Optional<String> warning, Optional<JsonNode> gradientCheck, Optional<String> unit)
                implements Ended {}

        /** Of the machine itself. */
        record Measured(double flops, double bytesPerSecond) implements Ended {}

        /** The engine said no, in words. */
        record Refused(String sentence) implements Ended {}

        record Crashed(String how) implements Ended {}

        record TooSlow(Duration limit) implements Ended {}

        record TooLarge(long bytes) implements Ended {}
    }

    Ended run() {
        try {
            Files.createDirectories(folder);
            // Files, not pipes: a process that writes without end cannot fill our memory.
            Path output = folder.resolve("output");
            Path errors = folder.resolve("errors");
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            Expendable.mark(process);
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

    private Ended watch(Process process, Path output, Path errors)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!process.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
            long used = anonymousBytes(process.pid());
            if (used > memoryBytes) {
                return new Ended.TooLarge(used);
            }
            if (System.nanoTime() - end > 0 || Files.size(output) > MOST_OUTPUT) {
                return new Ended.TooSlow(limit);
            }
        }
        return judge(process.exitValue(), events(output), lastLine(errors));
    }

    static Ended judge(int exit, List<JsonNode> events, Optional<String> lastError) {
        Optional<String> refused =
                events.stream()
                        .filter(event -> List.of("refused", "failed").contains(kind(event)))
                        .map(event -> event.path("error").asText())
                        .findFirst();
        if (refused.isPresent()) {
            return new Ended.Refused(refused.get());
        }
        Optional<JsonNode> checked =
                events.stream()
                        .filter(event -> List.of("checked", "optimized").contains(kind(event)))
                        .findFirst();
        if (exit == 0 && checked.isPresent()) {
            return new Ended.Passed(
                    Optional.ofNullable(checked.get().path("warning").textValue()),
                    Optional.of(checked.get().path("gradientCheck")).filter(JsonNode::isObject),
                    Optional.ofNullable(checked.get().path("unit").textValue()));
        }
        Optional<JsonNode> measured =
                events.stream().filter(event -> kind(event).equals("calibrated")).findFirst();
        if (exit == 0 && measured.isPresent()) {
            return new Ended.Measured(
                    measured.get().path("flops").asDouble(),
                    measured.get().path("bytesPerSecond").asDouble());
        }
        return new Ended.Crashed(name(exit) + lastError.map(line -> ": " + line).orElse(""));
    }

    private static String kind(JsonNode event) {
        return event.path("event").asText();
    }

    private static String name(int exit) {
        int signal = exit - 128;
        return exit > 128
                ? "signal %d, %s".formatted(signal, SIGNALS.getOrDefault(signal, "unknown"))
                : "exit code " + exit;
    }

    private static List<JsonNode> events(Path output) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (String line : text(output).split("\n")) {
            try {
                Optional.ofNullable(JSON.readTree(line)).ifPresent(events::add);
            } catch (IOException noEvent) {
                // The engine's own libraries may print; only events count.
                continue;
            }
        }
        return events;
    }

    private static Optional<String> lastLine(Path errors) throws IOException {
        return text(errors).lines().filter(line -> !line.isBlank()).reduce((_, last) -> last);
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes((int) MOST_OUTPUT), StandardCharsets.UTF_8);
        }
    }

    /** Mapped weights are the page cache's, not the model's; 0 where the system does not tell. */
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
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException left) {
            System.getLogger(CheckProcess.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot delete " + folder, left);
        }
    }
}
