package io.knabla.runtime.generation;

import java.util.function.Consumer;

/**
 * One text as it is generated, to be read by one thread. What is generated before it is read waits here, so a slow
 * reader delays no other text; it is bounded by the request's number of tokens.
 */
public interface Generation {
    /** Waits for the next event; after the last one, {@link GenerationEvent#isLast}, there is none. */
    GenerationEvent next() throws InterruptedException;

    /**
     * Hands all events to a receiver instead of to {@link #next}, at once those that wait. The thread that generates
     * calls it, so it must not wait.
     */
    void forward(Consumer<GenerationEvent> receiver);

    /** Stops the generation within a step; then the last event comes. Safe to call from any thread, and twice. */
    void cancel();
}
