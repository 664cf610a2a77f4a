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
        if (!settings.engine().device().isCpu()) {
            throw new IllegalArgumentException(
                    "a function of type %s computes on the CPU only, and this one asks for a GPU; write resources.gpu: 0 and placement.pool: cpu"
                            .formatted(manifest.type()));
        }
        int threads = settings.engine().threads();
        return manifest.type().equals(ENCODER)
                ? EncoderModel.open(folder, threads)
                : GenerationModel.open(folder, manifest, threads, settings.prefill());
    }
}
