package io.knabla.functions.packaging.generation;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.DecoderAnalysis;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.packaging.folder.FolderPlan;
import io.knabla.functions.packaging.folder.FolderUnit;
import io.knabla.functions.packaging.folder.FolderUnit.NamedFile;
import io.knabla.functions.packaging.folder.FolderUnit.NamedGraph;
import io.knabla.functions.packaging.folder.Precisions;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Checks a language model's folder, and plans what its unit will hold. */
public final class GenerationPlan {
    /** Names of the files that are read beside the model and its tokenizer. */
    public static final List<String> FILES = List.of(SamplingFile.FILE, ChatFile.TOKENIZER, ChatFile.TEMPLATE);

    private GenerationPlan() {}

    /**
     * Checks the folder and the limits; tells all faults at once.
     *
     * @param base folder that the spec's other paths are relative to
     * @throws IOException if a file cannot be read; one that is missing is a fault
     */
    public static FolderPlan of(Path folder, Path base, FunctionSpec spec) throws IOException {
        List<Fault> faults = new ArrayList<>();
        SamplingFile sampling = SamplingFile.read(folder, faults);
        ChatFile chat = ChatFile.read(folder, faults);
        Optional<DraftFolder> draft = DraftFolder.read(base, spec.generation().speculation(), faults);
        return switch (ModelFolder.open(folder)) {
            case ModelFolder.Opened.Refused(var wrong) -> {
                faults.addAll(0, wrong);
                yield new FolderPlan.Refused(faults);
            }
            case ModelFolder.Opened.Model(var model) -> of(model, spec, draft, sampling, chat, faults);
        };
    }

    private static FolderPlan of(
            ModelFolder model,
            FunctionSpec spec,
            Optional<DraftFolder> draft,
            SamplingFile sampling,
            ChatFile chat,
            List<Fault> faults) {
        DecoderConfig config = model.config();
        Limits chooser = new Limits(spec.generation(), config, faults);
        GenerationLimits limits = chooser.choose();
        Precision precision = Precisions.of(spec.quantize());
        DecoderGraph graph =
                DecoderGraph.of(model, precision, chooser.cache(), limits.contextLength(), DecoderGraph.WEIGHTS);
        Optional<DecoderGraph> drafting =
                draft.map(small -> small.graph(model, precision, limits.contextLength(), faults));
        faults.addAll(model.weights().faults());
        List<Integer> ends = ends(config, sampling, faults);
        if (!faults.isEmpty()) {
            return new FolderPlan.Refused(faults);
        }
        var settings = new GenerationSettings(
                limits,
                shape(config).with(chooser.cache()),
                ends,
                chat.template(),
                chat.specialTokens(),
                sampling.sampling(),
                chooser.objectives(),
                chooser.speculation(draft.map(small -> shape(small.config()))));
        List<String> warnings = warnings(settings, config, chooser);
        return new FolderPlan.Checked(new FolderUnit(
                GenerationSettings.TYPE,
                graphs(graph, calibration(model, precision, settings), drafting),
                new NamedFile(GenerationSettings.TOKENIZER, model.tokenizer()),
                new NamedFile(GenerationSettings.FILE, settings.toJson()),
                DecoderAnalysis.cost(
                        model,
                        graph.weightBytes()
                                + drafting.map(DecoderGraph::weightBytes).orElse(0L),
                        limits.kvCacheBytes() + settings.speculation().keyValueBytes(limits.contextLength())),
                warnings));
    }

    private static List<NamedGraph> graphs(
            DecoderGraph main, Optional<DecoderGraph> calibration, Optional<DecoderGraph> draft) {
        return Stream.of(
                        Stream.of(new NamedGraph(GenerationSettings.GRAPH, main)),
                        calibration.stream().map(graph -> new NamedGraph(GenerationSettings.CALIBRATION_GRAPH, graph)),
                        draft.stream().map(small -> new NamedGraph(GenerationSettings.DRAFT_GRAPH, small)))
                .flatMap(graphs -> graphs)
                .toList();
    }

    /** The same model with 32-bit keys and values, if the scales of others must be measured. */
    private static Optional<DecoderGraph> calibration(
            ModelFolder model, Precision precision, GenerationSettings settings) {
        return switch (settings.shape().cache()) {
            case FLOAT32 -> Optional.empty();
            case INT8 ->
                Optional.of(DecoderGraph.of(model, precision, settings.limits().contextLength()));
        };
    }

    private static DecoderShape shape(DecoderConfig config) {
        return new DecoderShape(
                config.layers().size(),
                config.attention().keyValueHeads(),
                config.attention().headWidth(),
                config.vocabulary());
    }

    /** Both files may name such tokens; chats often end with one that only the second names. */
    private static List<Integer> ends(DecoderConfig config, SamplingFile sampling, List<Fault> faults) {
        sampling.endTokens().stream()
                .filter(id -> id < 0 || id >= config.vocabulary())
                .map(id -> new Fault(
                        SamplingFile.FILE,
                        "eos_token_id has %d; a token of this model is 0 to %d".formatted(id, config.vocabulary() - 1)))
                .forEach(faults::add);
        Set<Integer> ids = new TreeSet<>(config.endTokens());
        ids.addAll(sampling.endTokens());
        return List.copyOf(ids);
    }

    private static List<String> warnings(GenerationSettings settings, DecoderConfig config, Limits chooser) {
        List<String> warnings = new ArrayList<>();
        if (chooser.isShortened(settings.limits().contextLength())) {
            warnings.add(
                    "a context has %d tokens, whose keys and values take 1 GiB; the model was made for %d. For more, set spec.generation.contextLength and give spec.resources.memory room for it."
                            .formatted(settings.limits().contextLength(), config.contextLength()));
        }
        chooser.prefixWarning(settings.limits().contextLength()).ifPresent(warnings::add);
        if (settings.chatTemplate().isEmpty()) {
            warnings.add(
                    "the folder has no chat template (chat_template.jinja, or chat_template of tokenizer_config.json), so /v1/chat/completions is refused; /v1/completions works.");
        }
        if (settings.endTokens().isEmpty()) {
            warnings.add(
                    "no token ends a text (eos_token_id of config.json or generation_config.json), so every text has max_tokens or fills its context.");
        }
        return warnings;
    }
}
