package io.knabla.runtime.modes;

import io.knabla.functions.unit.FileManifest;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;

/** Opens a unit without graphs as the model that serves it; each type of such units has one. */
@FunctionalInterface
interface UnitLoader {
    /**
     * @param folder of the materialised unit
     * @param trial whether what the model would store stays in memory and is discarded
     */
    ServedModel open(Path folder, FileManifest manifest, Settings settings, boolean trial);
}
