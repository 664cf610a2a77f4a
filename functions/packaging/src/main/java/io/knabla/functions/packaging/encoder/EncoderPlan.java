package io.knabla.functions.packaging.encoder;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.EncoderAnalysis;
import io.knabla.functions.decoder.folder.EncoderFolder;
import io.knabla.functions.decoder.folder.EncoderOutput;
import io.knabla.functions.decoder.graph.EncoderGraph;
import io.knabla.functions.packaging.folder.FolderPlan;
import io.knabla.functions.packaging.folder.FolderUnit;
import io.knabla.functions.packaging.folder.FolderUnit.NamedFile;
import io.knabla.functions.packaging.folder.FolderUnit.NamedGraph;
import io.knabla.functions.packaging.folder.Precisions;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.encoder.EncoderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Checks an encoder's folder, and plans what its unit will hold. */
public final class EncoderPlan {
    private EncoderPlan() {}

    /**
     * Tells all faults at once.
     *
     * @throws IOException if a file cannot be read; one that is missing is a fault
     */
    public static FolderPlan of(Path folder, FunctionSpec spec) throws IOException {
        return switch (EncoderFolder.open(folder)) {
            case EncoderFolder.Opened.Refused(var faults) -> new FolderPlan.Refused(faults);
            case EncoderFolder.Opened.Model(var model) -> of(model, spec);
        };
    }

    private static FolderPlan of(EncoderFolder model, FunctionSpec spec) {
        EncoderGraph graph = EncoderGraph.of(model, Precisions.of(spec.quantize()));
        List<Fault> faults = model.weights().faults();
        if (!faults.isEmpty()) {
            return new FolderPlan.Refused(faults);
        }
        return new FolderPlan.Checked(new FolderUnit(
                EncoderSettings.TYPE,
                List.of(new NamedGraph(EncoderSettings.GRAPH, graph)),
                new NamedFile(EncoderSettings.TOKENIZER, model.tokenizer()),
                new NamedFile(EncoderSettings.FILE, settings(model).toJson()),
                EncoderAnalysis.cost(model, graph.weightBytes()),
                model.warnings()));
    }

    private static EncoderSettings settings(EncoderFolder model) {
        var config = model.config();
        EncoderSettings.Output output = switch (model.output()) {
            case EncoderOutput.Embedding embedding ->
                new EncoderSettings.Embedding(embedding.width(), embedding.normalized(), embedding.prompts());
            case EncoderOutput.Score _ -> new EncoderSettings.Score();
        };
        return new EncoderSettings(model.maxTokens(), config.vocabulary(), config.padToken(), output);
    }
}
