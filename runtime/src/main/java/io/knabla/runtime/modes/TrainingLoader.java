package io.knabla.runtime.modes;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.engine.Checkpoints;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.training.StateObject;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.setup.Stores;
import java.nio.file.Path;

/** Opens training units. Separate from {@link LoadedUnit}, because an inference replica must never load this class. */
final class TrainingLoader {
    private TrainingLoader() {}

    /** @param trial whether to start from the initial state and keep all state in memory */
    static Engine open(Path folder, GraphManifest manifest, Settings settings, boolean trial) {
        Checkpoints state =
                trial ? StateObject.inMemory(folder.resolve(UnitStore.INITIAL)) : stored(folder, manifest, settings);
        return Engine.open(folder, manifest, settings.engine(), state);
    }

    private static StateObject stored(Path folder, GraphManifest manifest, Settings settings) {
        if (settings.state().isEmpty()) {
            throw new IllegalArgumentException(
                    "the replica's settings are wrong: KNABLA_STATE is not set; a training step needs a place for its state, such as states/default/digits/1.safetensors");
        }
        // The store stays open for the life of the process: every step writes to it.
        return new StateObject(
                Stores.open(settings.store()),
                new ObjectKey(settings.state()),
                settings.unit(),
                manifest.training().orElseThrow(),
                folder.resolve(UnitStore.INITIAL));
    }
}
