package io.knabla.storage.s3.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a failure waits for running parts and an interruption does not. */
@Timeout(300)
class PartTasksTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicBoolean failing = new AtomicBoolean();
    private final AtomicReference<String> ended = new AtomicReference<>();

    /** A part that is cancelled here may still reach the server after the upload was aborted. */
    @Test
    void failureWaitsForRunningParts() throws Exception {
        Thread transfer = Thread.currentThread();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> server = threads.submit(() -> answerOnceAwaited(transfer));
            assertThatThrownBy(this::fail).hasMessage("the content broke");
            assertThat(ended.get()).isEqualTo("answered");
            server.get();
        }
    }

    private void fail() throws InterruptedException {
        PartTasks.<String, RuntimeException>runAll(2, tasks -> {
            tasks.start(this::part);
            begun.await();
            failing.set(true);
            throw new IllegalStateException("the content broke");
        });
    }

    @Test
    void interruptionDoesNotWait() {
        assertThatThrownBy(this::interrupted).isInstanceOf(InterruptedException.class);
        assertThat(ended.get()).isEqualTo("broken off");
    }

    private void interrupted() throws InterruptedException {
        PartTasks.<String, RuntimeException>runAll(1, tasks -> {
            tasks.start(this::part);
            begun.await();
            Thread.currentThread().interrupt();
            tasks.start(this::part);
        });
    }

    private String part() {
        begun.countDown();
        try {
            mayEnd.await();
            ended.set("answered");
        } catch (InterruptedException brokenOff) {
            ended.set("broken off");
        }
        return ended.get();
    }

    private void answerOnceAwaited(Thread transfer) {
        while (!(failing.get() && isWaiting(transfer)) && ended.get() == null) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
    }

    private static boolean isWaiting(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING -> true;
            default -> false;
        };
    }
}
