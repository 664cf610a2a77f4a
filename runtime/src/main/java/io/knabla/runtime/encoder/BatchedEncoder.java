package io.knabla.runtime.encoder;

import io.knabla.functions.tokenizer.Encoding;
import io.knabla.runtime.engine.TokenBatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Computes texts of all callers on a thread of its own, several in one run. Thread-safe. */
public final class BatchedEncoder implements AutoCloseable {
    private final BatchRunner runner;
    private final int padToken;
    private final TextQueue queue;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong runs = new AtomicLong();
    private volatile Optional<Long> ended = Optional.empty();
    private final Thread thread;

    /**
     * @param runner closed with this encoder
     * @param padToken id that fills up the texts of a batch
     * @param batchTokens most tokens in a run, of several texts
     */
    public BatchedEncoder(BatchRunner runner, int padToken, int batchTokens) {
        this.runner = runner;
        this.padToken = padToken;
        this.queue = new TextQueue(new BatchChooser(batchTokens));
        this.thread = Thread.ofPlatform().daemon().name("encoder").start(this::loop);
    }

    /** @param texts one or more */
    public Admission submit(List<EncodedText> texts) {
        var job = new EncodeJob(texts);
        return switch (queue.offer(job)) {
            case ACCEPTED -> new Admission.Accepted(job);
            case FULL -> new Admission.QueueFull();
            case CLOSED -> new Admission.Closed();
        };
    }

    private void loop() {
        try {
            List<QueuedText> batch = queue.take();
            while (!batch.isEmpty()) {
                compute(batch);
                batch = queue.take();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            // Whatever ended it: nobody may wait for a thread that is gone.
            ended = Optional.of(System.nanoTime());
            queue.close().forEach(text -> text.job().cancel());
            runner.close();
        }
    }

    private void compute(List<QueuedText> batch) {
        running.set(1);
        runs.incrementAndGet();
        try {
            float[] rows = runner.run(tokens(batch));
            int width = rows.length / batch.size();
            for (int i = 0; i < batch.size(); i++) {
                finish(batch.get(i), Arrays.copyOfRange(rows, i * width, (i + 1) * width));
            }
        } catch (RuntimeException failed) {
            batch.forEach(text -> text.job().fail(failed));
        } catch (Error failed) {
            batch.forEach(text -> text.job().fail(failed));
        } finally {
            running.set(0);
        }
    }

    private static void finish(QueuedText text, float[] row) {
        for (float number : row) {
            if (!Float.isFinite(number)) {
                text.job().fail(new NotFiniteException(text.index()));
                return;
            }
        }
        text.job().finish(text.index(), row);
    }

    private TokenBatch tokens(List<QueuedText> batch) {
        int longest = batch.stream().mapToInt(QueuedText::length).max().orElseThrow();
        long[] ids = new long[batch.size() * longest];
        long[] types = new long[ids.length];
        int[] lengths = new int[batch.size()];
        int[] leftOut = new int[batch.size()];
        Arrays.fill(ids, padToken);
        for (int row = 0; row < lengths.length; row++) {
            Encoding text = batch.get(row).text().tokens();
            lengths[row] = text.ids().length;
            leftOut[row] = batch.get(row).text().leftOut();
            for (int i = 0; i < lengths[row]; i++) {
                ids[row * longest + i] = text.ids()[i];
                types[row * longest + i] = text.typeIds()[i];
            }
        }
        return new TokenBatch(ids, types, lengths, leftOut);
    }

    /** Runs in progress: one at most. */
    public int running() {
        return running.get();
    }

    /** Requests of which some text waits for a run. */
    public int waiting() {
        return queue.jobs();
    }

    /** Runs since the start. */
    public long runs() {
        return runs.get();
    }

    /** Time since it computes no more, after which a replica is to be replaced; zero while it does. */
    public Duration overdue() {
        return ended.map(since -> Duration.ofNanos(System.nanoTime() - since)).orElse(Duration.ZERO);
    }

    /** Ends after the run in progress; requests that are not finished are cancelled. */
    @Override
    public void close() {
        queue.close().forEach(text -> text.job().cancel());
        try {
            thread.join();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
