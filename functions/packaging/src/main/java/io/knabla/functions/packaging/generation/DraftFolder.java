package io.knabla.functions.packaging.generation;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.spec.Generation.Speculation;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Folder of the small model that drafts tokens for the main one.
 *
 * @param path as function.yaml names it
 */
record DraftFolder(Path path, ModelFolder model) {
    private static final String FIELD = "spec.generation.speculation.model";

    /**
     * Opens the folder if the spec names one; empty too if it has faults, which are added.
     *
     * @param base folder that the path is relative to
     */
    static Optional<DraftFolder> read(Path base, Speculation speculation, List<Fault> faults) throws IOException {
        if (speculation.model().isEmpty()) {
            return Optional.empty();
        }
        Path path = Path.of(speculation.model().get()).normalize();
        return switch (ModelFolder.open(base.resolve(path))) {
            case ModelFolder.Opened.Model(var model) -> Optional.of(new DraftFolder(path, model));
            case ModelFolder.Opened.Refused(var wrong) -> {
                add(path, wrong, faults);
                yield Optional.empty();
            }
        };
    }

    DecoderConfig config() {
        return model.config();
    }

    /** Plans the graph; what keeps it from drafting for the main model is added to the faults. */
    DecoderGraph graph(ModelFolder main, Precision precision, int context, List<Fault> faults) {
        if (!Arrays.equals(model.tokenizer(), main.tokenizer())) {
            faults.add(new Fault(
                    FIELD,
                    "the tokenizer of %s is not the model's, so its tokens mean other texts; name a model with the same tokenizer.json"
                            .formatted(path)));
        }
        if (config().contextLength() < context) {
            faults.add(new Fault(
                    FIELD,
                    "%s was made for %d tokens (max_position_embeddings, or n_positions, of its config.json), but a context has %d; set spec.generation.contextLength to %2$d or less, or name another model"
                            .formatted(path, config().contextLength(), context)));
        }
        int positions = Math.min(context, config().contextLength());
        var graph = DecoderGraph.of(model, precision, CacheType.FLOAT32, positions, GenerationSettings.DRAFT_WEIGHTS);
        add(path, model.weights().faults(), faults);
        return graph;
    }

    private static void add(Path path, List<Fault> wrong, List<Fault> faults) {
        wrong.forEach(fault -> faults.add(new Fault(FIELD, "%s/%s".formatted(path, fault))));
    }
}
