package io.knabla.runtime.modes;

import io.knabla.functions.unit.FileManifest;
import io.knabla.runtime.openai.GenerationModel;
import io.knabla.runtime.openai.embeddings.EncoderModel;
import io.knabla.runtime.serve.ServedModel;
import java.nio.file.Path;

/** Opens units that are called with texts: one class for all of them, which every replica loads. */
final class TextLoader implements UnitLoader {
    static final String GENERATION = "Generation";
    static final String ENCODER = "Encoder";

    @Override
    public ServedModel open(Path folder, FileManifest manifest, Settings settings, boolean trial) {
        int threads = settings.engine().threads();
        return manifest.type().equals(ENCODER)
                ? EncoderModel.open(folder, threads)
                : GenerationModel.open(folder, threads);
    }
}
