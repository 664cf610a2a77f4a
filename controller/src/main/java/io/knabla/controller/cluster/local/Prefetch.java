package io.knabla.controller.cluster.local;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.functions.unit.Digest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Brings units onto this node while the replicas that want them still boot: here the way to the store is open and warm,
 * there it would have to be loaded first. A replica waits at the cache's own lock for what is under way; where this
 * fails, it fetches by itself, and what it then says counts.
 */
final class Prefetch {
    private static final System.Logger LOG = System.getLogger(Prefetch.class.getName());

    private final Consumer<Digest> fetch;
    private final Set<Digest> running = ConcurrentHashMap.newKeySet();

    private Prefetch(Consumer<Digest> fetch) {
        this.fetch = fetch;
    }

    /** For a store whose files lie here already. */
    static Prefetch none() {
        return new Prefetch(_ -> {});
    }

    /** @param fetch returns once the unit lies in the node's cache, at once where it did before */
    static Prefetch by(Consumer<Digest> fetch) {
        return new Prefetch(fetch);
    }

    /** Begins and returns; once at a time for each unit. */
    void begin(Digest unit) {
        if (running.add(unit)) {
            Thread.ofPlatform().daemon().name("prefetch-" + unit.hex()).start(() -> run(unit));
        }
    }

    private void run(Digest unit) {
        try {
            fetch.accept(unit);
        } catch (RuntimeException failed) {
            LOG.log(WARNING, "cannot fetch " + unit + " ahead of its replica", failed);
        } finally {
            running.remove(unit);
        }
    }
}
