package io.knabla.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** How old this process is, and how long its pod was there before it; told by Linux. */
final class Birth {
    private Birth() {}

    /** Milliseconds since the process's birth, in the system's ticks of 10 ms; empty where no one tells. */
    static OptionalLong ageMillis() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // The 22nd field, counted behind the command's name, which may hold anything.
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
     * Milliseconds from when the kubelet made the pod's cache, its first act for a pod that came to its node, to this
     * process's birth: network, image and container in between.
     *
     * @param cache a volume of the pod's own; one that holds anything was made for an earlier process
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
