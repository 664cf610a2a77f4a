package io.knabla.controller.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final List<String> logged = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(PeriodicTask.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line.getMessage() + ": " + line.getThrown().getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void failuresAreLoggedOncePerKindAndTheNextRoundFollows() throws InterruptedException {
        List<String> failures = List.of("down", "down", "down", "", "down", "broken");
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(failures.size() + 1);
        PeriodicTask.Round round = () -> {
            done.countDown();
            int number = rounds.getAndIncrement();
            String failure = number < failures.size() ? failures.get(number) : "";
            if (!failure.isEmpty()) {
                throw new IOException(failure);
            }
        };
        try (PeriodicTask task = new PeriodicTask("periodic-test", "read the store", round)) {
            task.start(Duration.ZERO, PAUSE);
            done.await();
        }

        String sentence = "cannot read the store; it is tried again: ";
        assertThat(logged).containsExactly(sentence + "down", sentence + "down", sentence + "broken");
    }

    @Test
    void thePauseIsAskedAfterEachRound() throws InterruptedException {
        List<String> order = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(3);
        PeriodicTask.Round round = () -> {
            order.add("round");
            done.countDown();
        };
        try (PeriodicTask task = new PeriodicTask("periodic-test", "count", round)) {
            task.start(PAUSE, () -> {
                order.add("pause");
                return PAUSE;
            });
            done.await();
        }

        assertThat(order).startsWith("round", "pause", "round", "pause", "round");
    }

    @Test
    void aRoundThatIsInterruptedByTheEndIsNoFailure() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        PeriodicTask task = new PeriodicTask("periodic-test", "wait", () -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.countDown();
            }
        });
        task.start(Duration.ZERO, PAUSE);
        running.await();
        task.close();
        ended.await();

        assertThat(logged).isEmpty();
    }

    @Test
    void nothingStartsAfterTheEnd() {
        PeriodicTask task = new PeriodicTask("periodic-test", "run", () -> logged.add("ran"));
        task.close();
        task.start(Duration.ZERO, PAUSE);

        assertThat(logged).isEmpty();
    }
}
