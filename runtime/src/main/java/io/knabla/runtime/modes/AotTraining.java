package io.knabla.runtime.modes;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Serves in one process all units that the build assigns on standard input: the AOT cache made of it has the classes of
 * every type of unit, and those of a pool member. For the build only.
 */
public final class AotTraining {
    private AotTraining() {}

    /** Returns when standard input closes; ends with the process. */
    public static void run() throws IOException {
        WarmUp.run(System.getenv());
        InputStream in = new FileInputStream(FileDescriptor.in);
        Map<String, String> assignment = Assignment.read(in);
        while (!assignment.isEmpty()) {
            serve(Settings.parse(assignment));
            assignment = Assignment.read(in);
        }
    }

    private static void serve(Settings settings) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Serve.runWarmed(settings, System.nanoTime());
            } catch (IOException | RuntimeException | LinkageError failed) {
                Failures.reportAndHalt(failed);
            }
        });
    }
}
