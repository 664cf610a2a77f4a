package io.knabla.runtime.modes;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends this process when standard input closes, as it does even when the controller is killed. */
public final class StdinWatch {
    private StdinWatch() {}

    public static void start() {
        start(new FileInputStream(FileDescriptor.in));
    }

    static void start(InputStream input) {
        Thread.ofPlatform().daemon().name("stdin").start(() -> {
            try (input) {
                while (input.read() >= 0) {
                    Thread.onSpinWait();
                }
            } catch (IOException broken) {
                // Treated as closed.
            }
            Runtime.getRuntime().halt(0);
        });
    }
}
