package io.knabla.runtime.modes;

import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.optimize.UnitOptimizer;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;

/** Runs the {@code optimize} mode: optimises a unit ahead of time and stores the result as a new unit. */
public final class Optimize {
    private Optimize() {}

    public static ExitCode run(Settings settings) {
        try (ObjectStore store = Stores.open(settings.store())) {
            Digest unit = UnitOptimizer.optimize(new UnitStore(store), settings.unit(), settings.cache());
            Events.optimized(unit);
            return ExitCode.DONE;
        } catch (RuntimeException failed) {
            return Failures.report(failed);
        }
    }
}
