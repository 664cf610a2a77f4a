package io.knabla.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Describes the machine of a benchmark in one line: cores, processor, kernel, Java. */
public final class Host {
    private Host() {}

    public static String describe() {
        return "%d cores, %s, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.vm.version"));
    }

    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException unknown) {
            return System.getProperty("os.arch");
        }
    }
}
