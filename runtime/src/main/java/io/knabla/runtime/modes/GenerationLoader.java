package io.knabla.runtime.modes;

import io.knabla.functions.unit.FileManifest;
import io.knabla.runtime.openai.GenerationModel;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;

/** Opens units that generate text. */
final class GenerationLoader implements UnitLoader {
    @Override
    public ServedModel open(Path folder, FileManifest manifest, Settings settings, boolean trial) {
        return GenerationModel.open(folder, settings.engine().threads());
    }
}
