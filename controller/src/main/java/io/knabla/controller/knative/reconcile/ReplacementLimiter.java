package io.knabla.controller.knative.reconcile;

import io.knabla.controller.catalog.FunctionId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Limits how many functions replace their serving revisions at a time. When the replica's image changes, all functions
 * need it at once: each replacement starts a pod, even of a function scaled to zero, and a broken image should hit only
 * a few. They wait in order of arrival.
 */
final class ReplacementLimiter {
    static final int AT_ONCE = 10;

    private final Consumer<FunctionId> nudge;
    private final Set<FunctionId> running = new HashSet<>();
    private final Set<FunctionId> waiting = new LinkedHashSet<>();

    /** @param nudge triggers a reconciliation of a function */
    ReplacementLimiter(Consumer<FunctionId> nudge) {
        this.nudge = nudge;
    }

    /** Whether the function may replace now; if not, it is triggered when it may. */
    synchronized boolean admits(FunctionId function) {
        if (running.contains(function)) {
            return true;
        }
        waiting.add(function);
        return next().contains(function) && waiting.remove(function) && running.add(function);
    }

    /** Frees the place of a function that replaces nothing any more, and triggers the next one. */
    void done(FunctionId function) {
        leave(function).forEach(nudge);
    }

    private synchronized List<FunctionId> leave(FunctionId function) {
        waiting.remove(function);
        running.remove(function);
        return next();
    }

    private List<FunctionId> next() {
        return waiting.stream().limit(AT_ONCE - running.size()).toList();
    }
}
