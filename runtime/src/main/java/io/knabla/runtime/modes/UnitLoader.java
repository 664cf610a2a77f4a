package io.knabla.runtime.modes;

import io.knabla.functions.unit.FileManifest;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;

/** Opens the units of one type, which have files of their own instead of graphs. */
@FunctionalInterface
interface UnitLoader {
    /**
     * @param folder of the materialised unit
     * @param trial whether what the model would store stays in memory and is discarded
     */
    ServedModel open(Path folder, FileManifest manifest, Settings settings, boolean trial);
}
