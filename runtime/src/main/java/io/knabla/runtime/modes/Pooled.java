package io.knabla.runtime.modes;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Waits as a member of the controller's pool: warms up on the device that it was given, then serves the unit that the
 * controller names on standard input. Serves one unit at most, and ends when standard input closes.
 */
public final class Pooled {
    private Pooled() {}

    public static void run() throws IOException {
        WarmUp.run(System.getenv());
        InputStream in = new FileInputStream(FileDescriptor.in);
        var watch = new StdinWatch(in);
        Events.pooled();
        Map<String, String> assignment = Assignment.read(in);
        long start = System.nanoTime();
        if (assignment.isEmpty()) {
            Runtime.getRuntime().halt(ExitCode.DONE.value());
        }
        watch.watch();
        Serve.runWarmed(Settings.parse(assignment), start);
    }
}
