package io.knabla.controller.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Identifies the host of a measurement: processor, cores, Java version, engine and GPUs.
 *
 * @param processor model name, as the vendor reports it
 * @param cores available to this process
 * @param java version
 * @param engine names and sizes of the native libraries; empty if unknown
 * @param gpus major version of NVIDIA's driver and names of its GPUs; empty if there is none
 */
public record Host(String processor, int cores, String java, String engine, String gpus) {
    private static final Path NVIDIA = Path.of("/proc/driver/nvidia");

    /** A host without GPUs. */
    public Host(String processor, int cores, String java, String engine) {
        this(processor, cores, java, engine, "");
    }

    /** @param replica folder of the replica program */
    public static Host here(Optional<Path> replica) {
        return new Host(
                processorHere(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                replica.map(folder -> engine(folder.resolve("native"))).orElse(""),
                NvidiaDriver.text(NVIDIA));
    }

    /** Whether measurements of one host apply to the other; an unknown engine matches any. */
    boolean isLike(Host other) {
        boolean sameEngine = engine.isEmpty() || other.engine.isEmpty() || engine.equals(other.engine);
        return sameEngine
                && gpus.equals(other.gpus)
                && processor.equals(other.processor)
                && cores == other.cores
                && java.equals(other.java);
    }

    /** Whether all parts are present: a damaged file may lack any of them. */
    boolean isComplete() {
        return processor != null && java != null && engine != null && gpus != null;
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
