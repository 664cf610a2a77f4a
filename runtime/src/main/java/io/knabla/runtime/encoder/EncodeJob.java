package io.knabla.runtime.encoder;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The texts of one request, which may be computed in several batches. Thread-safe. */
public final class EncodeJob {
    private final List<EncodedText> texts;
    private final float[][] rows;
    private final CompletableFuture<float[][]> done = new CompletableFuture<>();

    /** Of the one thread that computes. */
    private int finished;

    EncodeJob(List<EncodedText> texts) {
        this.texts = List.copyOf(texts);
        this.rows = new float[texts.size()][];
    }

    List<EncodedText> texts() {
        return texts;
    }

    /** Whether nobody waits for it any more. */
    boolean isOver() {
        return done.isDone();
    }

    void finish(int text, float[] row) {
        rows[text] = row;
        finished++;
        if (finished == rows.length) {
            done.complete(rows);
        }
    }

    void fail(RuntimeException cause) {
        done.completeExceptionally(cause);
    }

    void fail(Error cause) {
        done.completeExceptionally(cause);
    }

    /**
     * Waits for all texts.
     *
     * @return a row of numbers for each text
     * @throws RuntimeException why there are none; {@link java.util.concurrent.CancellationException} after
     *     {@link #cancel}
     */
    public float[][] await() throws InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error fatal) {
                throw fatal;
            }
            throw (RuntimeException) failed.getCause();
        }
    }

    /** Ends it: texts that are not computed yet never will be. */
    public void cancel() {
        done.cancel(false);
    }
}
