package io.knabla.runtime.modes;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends this process when standard input closes, as it does even when the controller is killed. Has no lambda: a member
 * of the pool would make its class while a request waits.
 *
 * @param input standard input
 */
public record StdinWatch(InputStream input) implements Runnable {
    public static void start() {
        new StdinWatch(new FileInputStream(FileDescriptor.in)).watch();
    }

    /** Watches from now on, in a thread of its own. */
    void watch() {
        Thread.ofPlatform().daemon().name("stdin").start(this);
    }

    @Override
    public void run() {
        try (input) {
            while (input.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException broken) {
            // Treated as closed.
        }
        Runtime.getRuntime().halt(0);
    }
}
