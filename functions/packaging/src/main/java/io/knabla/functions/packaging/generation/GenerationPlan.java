package io.knabla.functions.packaging.generation;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the unit of a language model will hold, once its folder was checked against function.yaml. Nothing is written
 * yet.
 *
 * @param warnings findings that do not prevent packaging
 */
public record GenerationPlan(
        ModelFolder folder, DecoderGraph graph, GenerationSettings settings, List<String> warnings) {
    private static final int BLOCK = 128;

    /** Result of a check. */
    public sealed interface Result {
        record Checked(GenerationPlan plan) implements Result {}

        record Refused(List<Fault> faults) implements Result {}
    }

    /**
     * Checks the folder and the limits; tells all faults at once.
     *
     * @throws IOException if a file cannot be read; one that is missing is a fault
     */
    public static Result of(Path folder, FunctionSpec spec) throws IOException {
        List<Fault> faults = new ArrayList<>();
        SamplingFile sampling = SamplingFile.read(folder, faults);
        ChatFile chat = ChatFile.read(folder, faults);
        return switch (ModelFolder.open(folder)) {
            case ModelFolder.Opened.Refused(var wrong) -> {
                faults.addAll(0, wrong);
                yield new Result.Refused(faults);
            }
            case ModelFolder.Opened.Model(var model) -> of(model, spec, sampling, chat, faults);
        };
    }

    private static Result of(
            ModelFolder model, FunctionSpec spec, SamplingFile sampling, ChatFile chat, List<Fault> faults) {
        DecoderConfig config = model.config();
        Limits chooser = new Limits(spec.generation(), config, faults);
        GenerationLimits limits = chooser.choose();
        DecoderGraph graph = DecoderGraph.of(model, precision(spec.quantize()), limits.contextLength());
        faults.addAll(model.weights().faults());
        List<Integer> ends = ends(config, sampling, faults);
        if (!faults.isEmpty()) {
            return new Result.Refused(faults);
        }
        var settings = new GenerationSettings(
                limits,
                shape(config),
                ends,
                chat.template(),
                chat.specialTokens(),
                sampling.sampling(),
                chooser.objectives());
        return new Result.Checked(new GenerationPlan(
                model, graph, settings, warnings(settings, config, chooser.isShortened(limits.contextLength()))));
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
        Set<Integer> ids = new TreeSet<>(config.endTokens());
        ids.addAll(sampling.endTokens());
        ids.stream()
                .filter(id -> id < 0 || id >= config.vocabulary())
                .map(id -> new Fault(
                        SamplingFile.FILE,
                        "eos_token_id has %d; a token of this model is 0 to %d".formatted(id, config.vocabulary() - 1)))
                .forEach(faults::add);
        return List.copyOf(ids);
    }

    private static List<String> warnings(GenerationSettings settings, DecoderConfig config, boolean isShortened) {
        List<String> warnings = new ArrayList<>();
        if (isShortened) {
            warnings.add(
                    "a context has %d tokens, whose keys and values take 1 GiB; the model was made for %d. For more, set spec.generation.contextLength and give spec.resources.memory room for it."
                            .formatted(settings.limits().contextLength(), config.contextLength()));
        }
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

    private static Precision precision(Quantize quantize) {
        int block = quantize.blockSize().orElse(BLOCK);
        return switch (quantize.type()) {
            case None -> new Precision.Float32();
            case Int8 -> new Precision.Int8(block);
            case Int4 -> new Precision.Int4(block);
            case Dynamic, Static ->
                throw new IllegalArgumentException("a language model is not quantised as " + quantize.type());
        };
    }
}
