package io.knabla.runtime.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.OptionalLong;

/** Reads the age of this process, and of its pod before it, from Linux's {@code /proc} and where the unit is kept. */
final class ProcessAge {
    private ProcessAge() {}

    /** Milliseconds since the process started, to a kernel tick of 10 ms; empty where {@code /proc} is missing. */
    static OptionalLong ageMillis() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // Field 22 (starttime), counted after the command's name, which may contain spaces and brackets.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long born = Long.parseLong(fields[19]) * 10;
            String uptime = Files.readString(Path.of("/proc/uptime"));
            long now = (long) (Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * 1000);
            return OptionalLong.of(Math.max(0, now - born));
        } catch (IOException | RuntimeException unknown) {
            return OptionalLong.empty();
        }
    }

    /**
     * Milliseconds from the creation of the file system that keeps the unit to the start of this process. The kubelet
     * creates a volume first; network, image and container follow. The pod's memory comes after its network.
     *
     * @param cache a volume of this pod, or a folder of its memory that this process will create; if it contains files,
     *     an earlier process used it and the result is empty
     */
    static OptionalLong placeMillis(Path cache) {
        OptionalLong age = ageMillis();
        try {
            boolean there = Files.exists(cache);
            if (age.isEmpty() || there && hasFiles(cache)) {
                return OptionalLong.empty();
            }
            long born = System.currentTimeMillis() - age.getAsLong();
            return OptionalLong.of(Math.max(0, born - createdMillis(there ? cache : cache.getParent())));
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }

    private static boolean hasFiles(Path folder) throws IOException {
        try (var inside = Files.newDirectoryStream(folder)) {
            return inside.iterator().hasNext();
        }
    }

    private static long createdMillis(Path folder) throws IOException {
        return Files.readAttributes(folder, BasicFileAttributes.class)
                .creationTime()
                .toMillis();
    }
}
