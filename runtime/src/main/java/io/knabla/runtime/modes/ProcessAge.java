package io.knabla.runtime.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Reads the age of this process, and of its pod before it, from Linux's {@code /proc} and the cache volume. */
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
     * Milliseconds from the creation of the pod's cache volume to the start of this process. The kubelet creates
     * volumes first; network, image and container follow.
     *
     * @param cache a volume of this pod; if it contains files, an earlier process used it and the result is empty
     */
    static OptionalLong placeMillis(Path cache) {
        OptionalLong age = ageMillis();
        try (var inside = Files.newDirectoryStream(cache)) {
            if (age.isEmpty() || inside.iterator().hasNext()) {
                return OptionalLong.empty();
            }
            long born = System.currentTimeMillis() - age.getAsLong();
            return OptionalLong.of(
                    Math.max(0, born - Files.getLastModifiedTime(cache).toMillis()));
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }
}
