package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Unbounded queue of one text's events, from the engine's thread to the thread that reads the text. */
final class EventQueue implements Generation {
    private final BlockingQueue<GenerationEvent> events = new LinkedBlockingQueue<>();
    private Consumer<GenerationEvent> receiver = events::add;
    private volatile boolean cancelled;
    private Runnable onCancel = () -> {};
    private boolean ended;

    synchronized void add(GenerationEvent event) {
        receiver.accept(event);
    }

    @Override
    public synchronized void forward(Consumer<GenerationEvent> to) {
        receiver = to;
        events.forEach(to);
        events.clear();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Runs this once when the text is cancelled, at once if it was, in place of what was to run before. */
    void onCancel(Runnable action) {
        boolean late;
        synchronized (this) {
            onCancel = action;
            late = cancelled;
        }
        if (late) {
            action.run();
        }
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
        Runnable action;
        synchronized (this) {
            cancelled = true;
            action = onCancel;
        }
        action.run();
    }
}
