package io.knabla.runtime;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Units;
import io.knabla.runtime.optimize.OptimizedUnit;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;

/** Optimises a unit ahead of time and stores the result as a unit of its own. */
final class Optimize {
    private Optimize() {}

    static int run(Settings settings) {
        try (ObjectStore store = Stores.open(settings.store())) {
            Digest unit = OptimizedUnit.of(new Units(store), settings.unit(), settings.cache());
            Events.optimized(unit);
            return 0;
        } catch (RuntimeException failed) {
            return Main.ended(failed);
        }
    }
}
