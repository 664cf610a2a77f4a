package io.knabla.controller.cost.ledger.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.StorageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private final CountDownLatch inFlight = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final List<Integer> flushes = new ArrayList<>();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());

    /** The first flush waits until two callers wait behind it. */
    private void flushesTwice(boolean failing) throws InterruptedException {
        GroupCommit commits = new GroupCommit(bytes -> {
            flushes.add(bytes.length);
            if (flushes.size() == 1) {
                inFlight.countDown();
                await(go);
            } else if (failing) {
                throw new StorageException(StorageException.Kind.DISK_FULL, "full.", "");
            }
        });
        Thread first = caller(commits, 1);
        inFlight.await();
        List<Thread> behind = List.of(caller(commits, 10), caller(commits, 100));
        while (!behind.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        go.countDown();
        first.join();
        for (Thread thread : behind) {
            thread.join();
        }
        assertThat(flushes).containsExactly(1, 110);
    }

    private Thread caller(GroupCommit commits, int bytes) {
        return Thread.ofPlatform().start(() -> {
            try {
                commits.append(new byte[bytes]);
            } catch (StorageException told) {
                failures.add(told.kind() + " " + told.problem());
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void callersThatComeDuringAFlushShareTheNext() throws Exception {
        flushesTwice(false);
        assertThat(failures).isEmpty();
    }

    @Test
    void aFailureIsToldToAllThatShareTheFlush() throws Exception {
        flushesTwice(true);
        assertThat(failures).containsExactly("DISK_FULL full.", "DISK_FULL full.");
    }

    @Test
    void anUnexpectedFailureIsOneOfTheStore() {
        GroupCommit commits = new GroupCommit(bytes -> {
            throw new IllegalStateException("odd");
        });
        assertThatThrownBy(() -> commits.append(new byte[1]))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("odd");
    }
}
