package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.decode.OnnxDecoder;
import java.nio.file.Path;

/**
 * Opens the decoders of a unit: that of its model, and that of the small model that drafts, if there is one.
 *
 * @param folder of the materialised unit
 * @param threads inside one run of the engine
 */
record UnitOpener(Path folder, GenerationSettings settings, int threads) implements DecoderOpener {
    @Override
    public Decoder decoder() {
        GenerationLimits limits = settings.limits();
        var size = new OnnxDecoder.Size(
                limits.maxSequences() + 1,
                limits.contextLength(),
                settings.speculation().mostTokens());
        return OnnxDecoder.open(folder.resolve(GenerationSettings.GRAPH), settings.shape(), size, threads);
    }

    @Override
    public Drafts drafts() {
        return switch (settings.speculation()) {
            case Speculation.None(), Speculation.PromptLookup(var _) -> new PromptLookupDrafts();
            case Speculation.Draft(var _, var shape) -> drafts(shape);
        };
    }

    private Drafts drafts(DecoderShape shape) {
        int context = settings.limits().contextLength();
        var size = new OnnxDecoder.Size(Speculation.MOST_TEXTS, context, 0);
        Decoder small = OnnxDecoder.open(folder.resolve(GenerationSettings.DRAFT_GRAPH), shape, size, threads);
        return new ModelDrafts(small, shape.vocabulary(), settings.shape().vocabulary(), context);
    }
}
