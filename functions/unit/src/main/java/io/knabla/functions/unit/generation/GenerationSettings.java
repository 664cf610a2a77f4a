package io.knabla.functions.unit.generation;

import io.knabla.functions.unit.Checks;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings of a unit that generates text, as they are in its file {@value #FILE}. The packager writes it, the replica
 * reads it.
 *
 * @param endTokens ids that end a text; may be empty
 * @param chatTemplate Jinja source; empty if the model has none
 * @param specialTokens texts of special tokens by the names that a chat template uses, such as {@code bos_token}
 * @param sampling used where a request says nothing
 * @param objectives times that texts should keep
 * @param speculation how tokens are drafted, to be verified together
 */
public record GenerationSettings(
        GenerationLimits limits,
        DecoderShape shape,
        List<Integer> endTokens,
        Optional<String> chatTemplate,
        Map<String, String> specialTokens,
        SamplingDefaults sampling,
        LatencyObjectives objectives,
        Speculation speculation) {
    /** Type of the units that have this file. */
    public static final String TYPE = "Generation";

    /** Name of the file of settings in the unit. */
    public static final String FILE = "generation.json";

    /** Name of the graph's file in the unit. */
    public static final String GRAPH = "decoder.onnx";

    /** Name of the file of the graph that drafts, in units whose speculation is {@link Speculation.Draft}. */
    public static final String DRAFT_GRAPH = "draft.onnx";

    /** Name of the file of that graph's weights. */
    public static final String DRAFT_WEIGHTS = "draft-weights.bin";

    /** Name of the compiled tokenizer's file in the unit. */
    public static final String TOKENIZER = "tokenizer.bin";

    public GenerationSettings {
        endTokens = List.copyOf(endTokens);
        specialTokens = Collections.unmodifiableMap(new TreeMap<>(specialTokens));
        for (int token : endTokens) {
            Checks.that(
                    token >= 0 && token < shape.vocabulary(),
                    "endTokens has %d; a token's id is 0 to %d",
                    token,
                    shape.vocabulary() - 1);
        }
    }

    /** Canonical JSON in UTF-8: equal settings are equal bytes. */
    public byte[] toJson() {
        return GenerationSettingsWriter.write(this);
    }

    /**
     * Reads what {@link #toJson} writes, in any order of fields.
     *
     * @throws io.knabla.functions.unit.UnitException if the bytes are no valid settings
     */
    public static GenerationSettings parse(byte[] json) {
        return GenerationSettingsReader.read(json);
    }

    /** Bytes of keys and values of one token in all layers, as 32-bit numbers. */
    public long bytesPerToken() {
        return shape.bytesPerToken();
    }
}
