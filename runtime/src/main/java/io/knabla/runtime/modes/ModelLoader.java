package io.knabla.runtime.modes;

import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;

/** Opens a materialised unit as the model that serves it: the one place that chooses by what the unit holds. */
final class ModelLoader {
    private ModelLoader() {}

    /** What a unit holds. */
    private enum Content {
        /** A model and perhaps its gradients: graphs that no request changes. */
        GRAPHS,
        /** A training step: a graph whose state each request changes. */
        TRAINING;

        static Content of(UnitManifest manifest) {
            return manifest.training().isPresent() ? TRAINING : GRAPHS;
        }
    }

    /** @param trial whether the state of a training step stays in memory and is discarded */
    static ServedModel open(Path folder, UnitManifest manifest, Settings settings, boolean trial) {
        return switch (Content.of(manifest)) {
            case GRAPHS -> new EngineModel(Engine.open(folder, manifest, settings.engine()), manifest);
            case TRAINING -> new EngineModel(TrainingLoader.open(folder, manifest, settings, trial), manifest);
        };
    }
}
