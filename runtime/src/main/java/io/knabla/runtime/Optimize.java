package io.knabla.runtime;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Units;
import io.knabla.runtime.optimize.OptimizedUnit;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;

/** Runs the {@code optimize} mode: optimises a unit ahead of time and stores the result as a new unit. */
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
