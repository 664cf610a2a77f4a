package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.standin.MapCatalog;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AutoscalerCloseTest {
    @Test
    void closeWaitsForWhatRuns() throws InterruptedException {
        var executor = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().factory());
        var autoscaler = new Autoscaler(null, new MapCatalog(), null, null, InstantSource.system(), executor);
        var begun = new CountDownLatch(1);
        var ended = new AtomicBoolean();
        Thread closing = Thread.currentThread();
        executor.execute(() -> {
            begun.countDown();
            try {
                TimeUnit.DAYS.sleep(1);
            } catch (InterruptedException closed) {
                while (closing.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                ended.set(true);
            }
        });
        begun.await();

        autoscaler.close();

        assertThat(ended).isTrue();
    }
}
