package io.knabla.runtime.modes;

import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.engine.Device;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.serve.ServedModel;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.nio.file.Path;

/**
 * A unit fetched and opened, with the time that each phase took.
 *
 * @param folder of the materialised unit
 * @param fetchNanos to fetch the unit into the cache
 * @param loadNanos to open it
 * @param deviceNanos beside both, for the device's libraries and its context
 */
record LoadedUnit(ServedModel model, Path folder, long fetchNanos, long loadNanos, long deviceNanos) {

    /** Loads a unit for serving. */
    static LoadedUnit load(Settings settings) {
        return load(settings, false);
    }

    /** Loads a unit for a trial: its training state stays in memory and is discarded. */
    static LoadedUnit loadForTrial(Settings settings) {
        return load(settings, true);
    }

    /** Fetches the unit while the engine's library loads in another thread. */
    private static LoadedUnit load(Settings settings, boolean trial) {
        Device device = settings.engine().device();
        EngineStart engine = EngineStart.begin(device);
        long start = System.nanoTime();
        Path folder;
        UnitManifest manifest;
        long fetched;
        long deviceNanos;
        try {
            folder = fetch(settings);
            manifest = UnitStore.readMaterialised(folder);
            fetched = System.nanoTime();
        } finally {
            // Also after a failure: a process must not exit while one of its threads loads the native library.
            deviceNanos = engine.await();
        }
        ServedModel open = ModelLoader.open(folder, manifest, settings, trial);
        if (!device.isCpu() && open instanceof EngineModel graphs) {
            FirstRun.of(graphs, settings.engine().batchMaxSize());
        }
        return new LoadedUnit(open, folder, fetched - start, System.nanoTime() - fetched, deviceNanos);
    }

    /**
     * The graphs of a unit that is run on tensors, open in the engine.
     *
     * @throws IllegalArgumentException for a unit of another kind
     */
    EngineModel graphs() {
        if (model instanceof EngineModel opened) {
            return opened;
        }
        throw new IllegalArgumentException("unit %s holds no graph that is run on tensors".formatted(folder));
    }

    long fetchMillis() {
        return millis(fetchNanos);
    }

    long loadMillis() {
        return millis(loadNanos);
    }

    private static Path fetch(Settings settings) {
        try (ObjectStore store = Stores.openToRead(settings.store())) {
            return new UnitStore(store).materialise(settings.unit(), settings.cache());
        }
    }

    static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
