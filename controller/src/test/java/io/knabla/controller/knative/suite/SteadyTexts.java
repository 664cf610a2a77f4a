package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers that ask for the same long text again and again; one that is not whole and equal is broken. */
final class SteadyTexts implements AutoCloseable {
    private static final int TOKENS = TextFunction.CONTEXT - 10;

    private final TextFunction function;
    private final String expected;
    private final AtomicInteger whole = new AtomicInteger();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;

    SteadyTexts(TextFunction function, int atOnce) throws IOException {
        this.function = function;
        this.expected = TextFunction.text(function.stream(TOKENS));
        for (int i = 0; i < atOnce; i++) {
            callers.execute(this::call);
        }
    }

    private void call() {
        while (!closing) {
            try {
                String stream = function.stream(TOKENS);
                if (stream.endsWith(TextFunction.END)
                        && TextFunction.text(stream).equals(expected)) {
                    whole.incrementAndGet();
                } else {
                    broken.add(stream.substring(Math.max(0, stream.length() - 500)));
                }
            } catch (IOException failed) {
                broken.add(failed.toString());
            }
        }
    }

    int whole() {
        return whole.get();
    }

    /** Ends of those texts, or why there was none. */
    List<String> broken() {
        return List.copyOf(broken);
    }

    /** Waits for the texts that have begun. */
    @Override
    public void close() {
        closing = true;
        callers.close();
    }
}
