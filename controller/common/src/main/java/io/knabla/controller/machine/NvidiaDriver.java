package io.knabla.controller.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the version and the GPUs of NVIDIA's driver from {@code /proc/driver/nvidia}. */
final class NvidiaDriver {
    private static final Pattern MAJOR = Pattern.compile("NVRM version:.*?\\s(\\d+)\\.\\d");
    private static final String MODEL = "Model:";

    private NvidiaDriver() {}

    /** Such as {@code driver 580: NVIDIA L4}; empty without a driver. */
    static String text(Path folder) {
        Matcher major = MAJOR.matcher(read(folder.resolve("version")));
        return major.find() ? "driver %s: %s".formatted(major.group(1), String.join(", ", models(folder))) : "";
    }

    private static List<String> models(Path folder) {
        try (Stream<Path> gpus = Files.list(folder.resolve("gpus"))) {
            return gpus.map(gpu -> read(gpu.resolve("information")))
                    .flatMap(String::lines)
                    .filter(line -> line.startsWith(MODEL))
                    .map(line -> line.substring(MODEL.length()).strip())
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException | UncheckedIOException untold) {
            return List.of();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException absent) {
            return "";
        }
    }
}
