package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Events of one text between the thread that generates it and the one that reads it; neither waits for room. */
final class EventQueue implements Generation {
    private final BlockingQueue<GenerationEvent> events = new LinkedBlockingQueue<>();
    private volatile boolean cancelled;
    private boolean ended;

    void add(GenerationEvent event) {
        events.add(event);
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public GenerationEvent next() throws InterruptedException {
        if (ended) {
            throw new IllegalStateException("the last event was read already");
        }
        GenerationEvent next = events.take();
        ended = next.isLast();
        return next;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }
}
