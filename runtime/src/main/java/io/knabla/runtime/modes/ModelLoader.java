package io.knabla.runtime.modes;

import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Opens a materialised unit as the model that serves it: the one place that chooses by what the unit holds. */
final class ModelLoader {
    /** The types of units that have no graphs. */
    private static final Map<String, UnitLoader> OTHERS = loaders();

    private ModelLoader() {}

    private static Map<String, UnitLoader> loaders() {
        var text = new TextLoader();
        Map<String, UnitLoader> loaders = new LinkedHashMap<>();
        loaders.put(TextLoader.GENERATION, text);
        loaders.put(TextLoader.ENCODER, text);
        return loaders;
    }

    /** @param trial whether the state of a training step stays in memory and is discarded */
    static ServedModel open(Path folder, UnitManifest manifest, Settings settings, boolean trial) {
        return open(folder, manifest, settings, trial, OTHERS);
    }

    /** A switch over types would be linked at the first start of a replica, not from its cache. */
    static ServedModel open(
            Path folder, UnitManifest manifest, Settings settings, boolean trial, Map<String, UnitLoader> others) {
        if (manifest instanceof FileManifest files) {
            return loader(files.type(), others).open(folder, files, settings, trial);
        }
        GraphManifest graphs = manifest.graphs();
        Engine engine = graphs.training().isPresent()
                ? TrainingLoader.open(folder, graphs, settings, trial)
                : Engine.open(folder, graphs, settings.engine());
        return new EngineModel(engine, graphs);
    }

    private static UnitLoader loader(String type, Map<String, UnitLoader> others) {
        UnitLoader loader = others.get(type);
        if (loader == null) {
            List<String> known = new ArrayList<>(GraphManifest.TYPES);
            known.addAll(others.keySet());
            throw UnitException.unknownType(type, known);
        }
        return loader;
    }
}
