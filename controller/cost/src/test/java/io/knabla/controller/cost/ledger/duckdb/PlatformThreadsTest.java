package io.knabla.controller.cost.ledger.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PlatformThreadsTest {
    private final PlatformThreads threads = new PlatformThreads("test-", 2);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        callers.shutdownNow();
    }

    @Test
    void workOfAVirtualThreadRunsOnAPlatformThread() throws Exception {
        Thread ran = callers.submit(() -> threads.run(Thread::currentThread)).get();
        assertThat(ran.isVirtual()).isFalse();
        assertThat(ran.isDaemon()).isTrue();
        assertThat(ran.getName()).startsWith("test-");
    }

    @Test
    void workOfAPlatformThreadRunsOnIt() throws IOException {
        assertThat(threads.run(Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    /** Work that starts work would otherwise wait for its own thread. */
    @Test
    void workWithinWorkNeedsNoSecondThread() throws Exception {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        List<Future<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(callers.submit(() -> threads.run(() -> {
                await(bothRun);
                return threads.run(() -> Thread.currentThread().isVirtual());
            })));
        }
        for (Future<Boolean> one : all) {
            assertThat(one.get()).isFalse();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    void whatTheWorkThrowsReachesTheCaller() {
        assertThat(failure(() -> {
                    throw new IOException("the file ends");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the file ends");
        assertThat(failure(() -> {
                    throw new IllegalStateException("closed");
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    private Throwable failure(PlatformThreads.Work<Object> work) {
        return catchThrowableOfType(
                        ExecutionException.class,
                        () -> callers.submit(() -> threads.run(work)).get())
                .getCause();
    }

    @Test
    void anInterruptOfTheCallerReachesTheWork() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Future<?> caller = callers.submit(() -> threads.run(() -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stopping) {
                interrupted.countDown();
            }
            return null;
        }));
        begun.await();
        caller.cancel(true);
        interrupted.await();
        assertThat(interrupted.getCount()).isZero();
    }
}
