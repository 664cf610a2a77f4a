package io.knabla.controller.platform;

import io.knabla.controller.spot.signal.CapacitySignal;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Collects capacity signals from whatever receives them, such as drills or a queue of the provider, and tells those who
 * act on them. Duplicates and late signals change nothing. Thread-safe.
 */
@Singleton
public final class CapacitySignals {
    private final Map<String, CapacitySignal> current = new ConcurrentHashMap<>();
    private final List<Consumer<CapacitySignal>> listeners = new CopyOnWriteArrayList<>();

    /** Returns whether the signal is news; listeners are called before this returns. */
    public boolean accept(CapacitySignal signal) {
        CapacitySignal kept =
                current.merge(signal.node(), signal, (old, latest) -> latest.supersedes(old) ? latest : old);
        boolean news = kept == signal;
        if (news) {
            listeners.forEach(listener -> listener.accept(signal));
        }
        return news;
    }

    /** Forgets a signal, unless a stronger one came after it; returns whether it was forgotten. */
    public boolean forget(CapacitySignal signal) {
        return current.remove(signal.node(), signal);
    }

    public Optional<CapacitySignal> of(String node) {
        return Optional.ofNullable(current.get(node));
    }

    /** The latest signal of each node that has one. */
    public Map<String, CapacitySignal> current() {
        return Map.copyOf(current);
    }

    public void onSignal(Consumer<CapacitySignal> listener) {
        listeners.add(listener);
    }
}
