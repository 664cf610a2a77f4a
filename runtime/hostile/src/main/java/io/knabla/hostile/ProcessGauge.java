package io.knabla.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the resident memory and the open descriptors of a process from {@code /proc}. */
record ProcessGauge(long pid) {
    private static final String RESIDENT = "VmRSS:";

    long residentMiB() {
        try (var lines = Files.lines(file("status"))) {
            String line =
                    lines.filter(one -> one.startsWith(RESIDENT)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
        } catch (IOException ended) {
            throw new UncheckedIOException("process " + pid + " has ended", ended);
        }
    }

    long descriptors() {
        try (var open = Files.list(file("fd"))) {
            return open.count();
        } catch (IOException ended) {
            throw new UncheckedIOException("process " + pid + " has ended", ended);
        }
    }

    private Path file(String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}
