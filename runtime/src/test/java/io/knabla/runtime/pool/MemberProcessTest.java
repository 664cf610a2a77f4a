package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemberProcessTest {
    @Test
    void eventsAreReadOnAPlatformThread() throws IOException {
        Process process = new ProcessBuilder("cat").start();
        try {
            new MemberProcess(process, process.inputReader(), CompletableFuture.completedFuture(null)).drainEvents();

            // Of all threads, only those of the platform.
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .contains("events");
        } finally {
            process.destroyForcibly();
        }
    }
}
