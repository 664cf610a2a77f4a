package io.knabla.functions.decoder.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Architectures of decoders, by their names in config.json; each is one row of differences from Llama. */
public enum Architecture {
    LLAMA("LlamaForCausalLM", Bias.ATTENTION_BIAS, QueryKeyNorm.NONE, NormPlacement.BEFORE, Window.NONE),
    MISTRAL("MistralForCausalLM", Bias.NONE, QueryKeyNorm.NONE, NormPlacement.BEFORE, Window.ALL_LAYERS),
    QWEN2("Qwen2ForCausalLM", Bias.INPUT, QueryKeyNorm.NONE, NormPlacement.BEFORE, Window.LAYER_TYPES),
    QWEN3("Qwen3ForCausalLM", Bias.ATTENTION_BIAS, QueryKeyNorm.HEAD, NormPlacement.BEFORE, Window.LAYER_TYPES),
    PHI3("Phi3ForCausalLM", Bias.NONE, QueryKeyNorm.NONE, NormPlacement.BEFORE, Window.ALL_LAYERS),
    OLMO2("Olmo2ForCausalLM", Bias.ATTENTION_BIAS, QueryKeyNorm.WHOLE, NormPlacement.AFTER, Window.NONE),
    GEMMA2("Gemma2ForCausalLM", Bias.ATTENTION_BIAS, QueryKeyNorm.NONE, NormPlacement.AROUND, Window.LAYER_TYPES),
    GEMMA3("Gemma3ForCausalLM", Bias.ATTENTION_BIAS, QueryKeyNorm.HEAD, NormPlacement.AROUND, Window.LAYER_TYPES),
    GPT2("GPT2LMHeadModel", Bias.ALL, QueryKeyNorm.NONE, NormPlacement.BEFORE, Window.NONE);

    /**
     * Architectures with the same keys in config.json, the same names and layouts of tensors, and the same parts of a
     * layer.
     */
    public enum Family {
        /** RMS norms, rotary positions, a gated feed-forward network. */
        LLAMA,
        /** Layer norms, learned positions, a feed-forward network without gate; rows of matrices are their inputs. */
        GPT2
    }

    /** Biases of the attention's projections. */
    public enum Bias {
        NONE,
        /** Of queries, keys and values. */
        INPUT,
        /** Of all four projections, if config.json says {@code attention_bias: true}. */
        ATTENTION_BIAS,
        /** Of all four projections. */
        ALL
    }

    /** Norm of queries and keys before their rotation. */
    public enum QueryKeyNorm {
        NONE,
        /** Over the elements of each head. */
        HEAD,
        /** Over the elements of all heads. */
        WHOLE
    }

    /** Where norms stand around attention and feed-forward network. */
    public enum NormPlacement {
        BEFORE,
        AFTER,
        AROUND
    }

    /** Which layers attend to a window of tokens only. */
    public enum Window {
        NONE,
        /** All, if config.json has a {@code sliding_window}. */
        ALL_LAYERS,
        /** Those that {@code layer_types} calls {@code sliding_attention}. */
        LAYER_TYPES
    }

    private final String className;
    private final Bias bias;
    private final QueryKeyNorm queryKeyNorm;
    private final NormPlacement normPlacement;
    private final Window window;

    Architecture(String className, Bias bias, QueryKeyNorm queryKeyNorm, NormPlacement placement, Window window) {
        this.className = className;
        this.bias = bias;
        this.queryKeyNorm = queryKeyNorm;
        this.normPlacement = placement;
        this.window = window;
    }

    /** Name of the class of Hugging Face transformers, as config.json has it in {@code architectures}. */
    public String className() {
        return className;
    }

    public Family family() {
        return this == GPT2 ? Family.GPT2 : Family.LLAMA;
    }

    public Bias bias() {
        return bias;
    }

    public QueryKeyNorm queryKeyNorm() {
        return queryKeyNorm;
    }

    public NormPlacement normPlacement() {
        return normPlacement;
    }

    public Window window() {
        return window;
    }

    /** Whether one matrix makes queries, keys and values, and one gate and up. */
    public boolean hasFusedProjections() {
        return this == PHI3;
    }

    /** Whether norms multiply by one plus their weight, and embeddings by the root of the width. */
    public boolean isGemma() {
        return this == GEMMA2 || this == GEMMA3;
    }

    /** Whether transformers ties the embedding unless config.json says otherwise. */
    public boolean tiesByDefault() {
        return isGemma() || this == GPT2;
    }

    static Optional<Architecture> of(String className) {
        return Arrays.stream(values())
                .filter(known -> known.className.equals(className))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(Architecture::className).toList();
    }
}
