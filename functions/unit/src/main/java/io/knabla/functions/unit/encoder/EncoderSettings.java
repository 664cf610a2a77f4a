package io.knabla.functions.unit.encoder;

import io.knabla.functions.unit.Checks;

/**
 * File {@value #FILE} of a unit that gives texts vectors or scores.
 *
 * @param maxTokens most tokens of a text, those that the tokenizer adds included; at least 1
 * @param vocabulary ids of tokens are below it
 * @param padToken id that fills up the texts of a batch
 */
public record EncoderSettings(int maxTokens, int vocabulary, int padToken, Output output) {
    /** Type of the units that have this file. */
    public static final String TYPE = "Encoder";

    /** Name of the file of settings in the unit. */
    public static final String FILE = "encoder.json";

    /** Name of the graph's file in the unit. */
    public static final String GRAPH = "encoder.onnx";

    /** Name of the compiled tokenizer's file in the unit. */
    public static final String TOKENIZER = "tokenizer.bin";

    /** What the graph gives for a text. */
    public sealed interface Output {
        /** Elements of it. */
        int width();
    }

    /**
     * A vector.
     *
     * @param normalized whether it is to be divided by its length
     */
    public record Embedding(int width, boolean normalized, Prompts prompts) implements Output {
        public Embedding {
            Checks.that(width >= 1, "width is %d, must be 1 or more", width);
        }
    }

    /** One number for a pair of texts. */
    public record Score() implements Output {
        @Override
        public int width() {
            return 1;
        }
    }

    public EncoderSettings {
        Checks.that(maxTokens >= 1, "maxTokens is %d, must be 1 or more", maxTokens);
        Checks.that(
                padToken >= 0 && padToken < vocabulary,
                "padToken is %d; a token's id is 0 to %d",
                padToken,
                vocabulary - 1);
    }

    /** Canonical JSON in UTF-8: equal settings are equal bytes. */
    public byte[] toJson() {
        return EncoderSettingsJson.write(this);
    }

    /**
     * Reads what {@link #toJson} writes, in any order of fields.
     *
     * @throws io.knabla.functions.unit.UnitException if the bytes are no valid settings
     */
    public static EncoderSettings parse(byte[] json) {
        return EncoderSettingsJson.read(json);
    }
}
