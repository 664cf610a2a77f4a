package io.knabla.controller.catalog;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A list of listeners, each called with the name of a function that has changed. Thread-safe. */
public final class FunctionListeners {
    private final List<Consumer<FunctionId>> listeners = new CopyOnWriteArrayList<>();

    /** @return removes the listener */
    public Runnable add(Consumer<FunctionId> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public void tell(FunctionId function) {
        listeners.forEach(listener -> listener.accept(function));
    }
}
