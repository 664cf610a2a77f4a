package io.knabla.runtime.encoder;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Texts that wait to be computed, of all callers; bounded. */
final class TextQueue {
    /** Beside those of one request, which always find room if nothing waits. */
    private static final int MOST_TEXTS = 1 << 14;

    private static final long MOST_TOKENS = 1 << 20;

    private final BatchChooser chooser;
    private final List<QueuedText> waiting = new ArrayList<>();
    private long tokens;
    private boolean closed;

    TextQueue(BatchChooser chooser) {
        this.chooser = chooser;
    }

    /** Result of an offer. */
    enum Offered {
        ACCEPTED,
        FULL,
        CLOSED
    }

    synchronized Offered offer(EncodeJob job) {
        if (closed) {
            return Offered.CLOSED;
        }
        dropOver();
        long more = job.texts().stream().mapToLong(EncodedText::length).sum();
        boolean full =
                tokens + more > MOST_TOKENS || waiting.size() + job.texts().size() > MOST_TEXTS;
        if (full && !waiting.isEmpty()) {
            return Offered.FULL;
        }
        for (int i = 0; i < job.texts().size(); i++) {
            waiting.add(new QueuedText(job, i));
        }
        tokens += more;
        notifyAll();
        return Offered.ACCEPTED;
    }

    /** Waits for the next batch; empty once the queue is closed. */
    synchronized List<QueuedText> take() throws InterruptedException {
        dropOver();
        while (waiting.isEmpty() && !closed) {
            wait();
            dropOver();
        }
        if (closed) {
            return List.of();
        }
        List<QueuedText> batch = chooser.choose(waiting);
        Set<QueuedText> taken = new HashSet<>(batch);
        waiting.removeIf(taken::contains);
        batch.forEach(text -> tokens -= text.length());
        return batch;
    }

    private void dropOver() {
        waiting.removeIf(text -> {
            boolean over = text.job().isOver();
            tokens -= over ? text.length() : 0;
            return over;
        });
    }

    /** Requests of which some text waits. */
    synchronized int jobs() {
        return (int) waiting.stream().map(QueuedText::job).distinct().count();
    }

    /** Ends waiting; what still waits is returned. */
    synchronized List<QueuedText> close() {
        closed = true;
        notifyAll();
        List<QueuedText> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }
}
