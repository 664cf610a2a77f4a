package io.knabla.runtime;

import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.Units;
import io.knabla.runtime.engine.Engine;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.Stores;
import java.nio.file.Path;

/**
 * A unit made ready to run, with how long each phase took.
 *
 * @param fetchMillis until the unit lay in the cache
 * @param loadMillis until the engine had it open
 */
record Load(Engine engine, UnitManifest manifest, long fetchMillis, long loadMillis) {

    /** A unit to serve. */
    static Load of(Settings settings) {
        return of(settings, false);
    }

    /** A unit to try: what it learns is forgotten. */
    static Load trial(Settings settings) {
        return of(settings, true);
    }

    /** Fetches the unit while the engine's library loads in a thread of its own. */
    private static Load of(Settings settings, boolean trial) {
        Thread engine = Thread.ofPlatform().daemon().name("engine").start(Engine::preload);
        long start = System.nanoTime();
        Path folder;
        UnitManifest manifest;
        long fetched;
        try {
            folder = fetch(settings);
            manifest = Units.readMaterialised(folder);
            fetched = System.nanoTime();
        } finally {
            // Also after a failure: no process may end while a thread of it loads the library.
            await(engine);
        }
        Engine open = manifest.training().isEmpty()
                ? Engine.open(folder, manifest, settings.engine())
                : Training.open(folder, manifest, settings, trial);
        return new Load(open, manifest, millis(fetched - start), millis(System.nanoTime() - fetched));
    }

    private static Path fetch(Settings settings) {
        try (ObjectStore store = Stores.openToRead(settings.store())) {
            return new Units(store).materialise(settings.unit(), settings.cache());
        }
    }

    private static void await(Thread engine) {
        try {
            engine.join();
        } catch (InterruptedException stopping) {
            throw new IllegalStateException("stopped while loading", stopping);
        }
    }

    static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
