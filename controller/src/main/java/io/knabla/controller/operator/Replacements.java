package io.knabla.controller.operator;

import io.knabla.controller.catalog.FunctionId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which functions replace revisions that serve, as all of them want to at once when the replica's image changes. Each
 * replacement starts a pod even of a function that sleeps, and an image that does not run is better tried on a few: so
 * they take turns, first come, first served.
 */
final class Replacements {
    static final int AT_ONCE = 10;

    private final Consumer<FunctionId> nudge;
    private final Set<FunctionId> running = new HashSet<>();
    private final Set<FunctionId> waiting = new LinkedHashSet<>();

    /** @param nudge has a function looked at again */
    Replacements(Consumer<FunctionId> nudge) {
        this.nudge = nudge;
    }

    /** Whether it is the function's turn; if not, it is nudged when it may be. */
    synchronized boolean admits(FunctionId function) {
        if (running.contains(function)) {
            return true;
        }
        waiting.add(function);
        return next().contains(function) && waiting.remove(function) && running.add(function);
    }

    /** The function replaces nothing, or no longer. */
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
