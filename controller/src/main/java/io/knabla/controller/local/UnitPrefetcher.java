package io.knabla.controller.local;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.functions.unit.Digest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Downloads units into this node's cache while their replicas still boot. That is faster because the controller's
 * connection to the store is open, and a replica's would have to be set up first. A replica waits at the lock of the
 * cache for a download in progress. If the download fails, the replica fetches the unit itself and reports the error.
 */
final class UnitPrefetcher {
    private static final System.Logger LOG = System.getLogger(UnitPrefetcher.class.getName());

    private final Consumer<Digest> fetch;
    private final Set<Digest> running = ConcurrentHashMap.newKeySet();

    private UnitPrefetcher(Consumer<Digest> fetch) {
        this.fetch = fetch;
    }

    /** For a store whose files are on this machine. */
    static UnitPrefetcher none() {
        return new UnitPrefetcher(_ -> {});
    }

    /** @param fetch returns once the unit is in the node's cache, at once if it is there already */
    static UnitPrefetcher by(Consumer<Digest> fetch) {
        return new UnitPrefetcher(fetch);
    }

    /** Starts the download and returns; at most one at a time per unit. */
    void start(Digest unit) {
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
