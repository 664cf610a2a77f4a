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

    /**
     * Name of the graph with 32-bit keys and values from which the scales of 8-bit ones are measured, in units that
     * lack {@link #CACHE_SCALES} yet.
     */
    public static final String CALIBRATION_GRAPH = "calibration.onnx";

    /**
     * Name of the file that the graph of a decoder with 8-bit keys and values takes its scales from: [layers, 2,
     * kvHeads, headWidth] 32-bit numbers in little-endian order, those of keys before those of values.
     */
    public static final String CACHE_SCALES = "kv-scales.bin";

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

    /** Bytes of keys and values of one token in all layers. */
    public long bytesPerToken() {
        return shape.bytesPerToken();
    }
}
