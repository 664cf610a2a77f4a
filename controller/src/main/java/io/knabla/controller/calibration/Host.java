package io.knabla.controller.calibration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a measurement depends on: where one of these differs, it is another's.
 *
 * @param processor by its maker's name
 * @param cores that this process may use
 * @param java version
 * @param engine the native libraries by name and size; empty where they are not known
 */
public record Host(String processor, int cores, String java, String engine) {
    /** @param replica the folder of the replica's program */
    public static Host here(Optional<Path> replica) {
        return new Host(
                processorHere(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                replica.map(folder -> engine(folder.resolve("native"))).orElse(""));
    }

    /** Whether what was measured there holds here; an engine that one of them does not know is no reason. */
    boolean isLike(Host other) {
        boolean sameEngine = engine.isEmpty() || other.engine.isEmpty() || engine.equals(other.engine);
        return sameEngine && processor.equals(other.processor) && cores == other.cores && java.equals(other.java);
    }

    /** A damaged file may lack anything. */
    boolean isComplete() {
        return processor != null && java != null && engine != null;
    }

    private static String processorHere() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(Host::architecture);
        } catch (IOException | UncheckedIOException elsewhere) {
            return architecture();
        }
    }

    private static String architecture() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }

    private static String engine(Path natives) {
        try (Stream<Path> files = Files.list(natives)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName() + " " + file.toFile().length())
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (IOException | UncheckedIOException unknown) {
            return "";
        }
    }
}
