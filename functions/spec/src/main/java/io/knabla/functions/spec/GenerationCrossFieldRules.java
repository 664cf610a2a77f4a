package io.knabla.functions.spec;

import static io.knabla.functions.spec.CrossFieldRule.spec;
import static io.knabla.functions.spec.CrossFieldRule.when;
import static io.knabla.functions.spec.CrossFieldRules.TYPE;
import static io.knabla.functions.spec.Validation.given;
import static io.knabla.functions.spec.Validation.value;

import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.Generation.SpeculationType;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Lists the rules that relate functions of texts to the other fields. */
final class GenerationCrossFieldRules {
    private static final Set<QuantizeType> BLOCKS = EnumSet.of(QuantizeType.Int8, QuantizeType.Int4);
    private static final Set<QuantizeType> TENSORS =
            EnumSet.of(QuantizeType.Dynamic, QuantizeType.Static, QuantizeType.Float16);
    private static final Pattern FOLDER_IN_BUCKET = Pattern.compile("s3://.*/");
    private static final String QUANTIZE = value("quantize.type", QuantizeType.None);
    private static final String SPECULATION = value("generation.speculation.type", SpeculationType.None);
    private static final String GENERATES = TYPE + " == 'Generation'";
    private static final String TAKES_TEXT = TYPE + " in ['Generation', 'Encoder']";

    private static final List<CrossFieldRule> RULES = List.of(
            spec(
                    "spec.generation",
                    "spec.type",
                    "found it with spec.type %s; remove it, or write type: Generation",
                    (s, found) ->
                            when(s.type() != FunctionType.Generation && found.isGiven("spec.generation"), s.type()),
                    GENERATES + " || !has(self.generation)",
                    TYPE),
            spec(
                    "spec.generation.speculation.maxTokens",
                    "spec.generation.speculation",
                    "found it with type None, which drafts no tokens; remove it, or write type: PromptLookup or Draft",
                    (s, found) -> when(found.isGiven("spec.generation.speculation.maxTokens")
                            && s.generation().speculation().type() == SpeculationType.None),
                    "!(%s) || %s != 'None'".formatted(given("generation.speculation.maxTokens"), SPECULATION)),
            spec(
                    "spec.generation.speculation.model",
                    "spec.generation.speculation",
                    "missing, but type Draft needs it; write the folder of a small model with the same tokenizer, such as ./small/",
                    (s, found) -> when(s.generation().speculation().type() == SpeculationType.Draft
                            && !found.isGiven("spec.generation.speculation.model")),
                    "%s != 'Draft' || %s".formatted(SPECULATION, given("generation.speculation.model"))),
            spec(
                    "spec.generation.speculation.model",
                    "spec.generation.speculation",
                    "found it with type %s, which has no model of its own; remove it, or write type: Draft",
                    (s, found) -> when(
                            s.generation().speculation().type() != SpeculationType.Draft
                                    && found.isGiven("spec.generation.speculation.model"),
                            s.generation().speculation().type()),
                    "!(%s) || %s == 'Draft'".formatted(given("generation.speculation.model"), SPECULATION),
                    SPECULATION),
            spec(
                    "spec.model",
                    "spec.type",
                    "found the folder %s with spec.type %s, whose model is a file; write s3://bucket/key, or spec.type: Generation or Encoder",
                    (s, _) -> when(
                            !s.takesText()
                                    && FOLDER_IN_BUCKET.matcher(s.model()).matches(),
                            s.model(),
                            s.type()),
                    "%s || !%s"
                            .formatted(TAKES_TEXT, StructuralSchema.matches("self.model", FOLDER_IN_BUCKET.pattern())),
                    "self.model",
                    TYPE),
            spec(
                    "spec.quantize.type",
                    "spec.type",
                    "found %s with spec.type %s, whose weights are quantised by blocks; write Int8, Int4 or None",
                    (s, _) -> when(
                            s.takesText() && TENSORS.contains(s.quantize().type()),
                            s.quantize().type(),
                            s.type()),
                    "!(%s) || !(%s in %s)".formatted(TAKES_TEXT, QUANTIZE, Validation.names(TENSORS)),
                    QUANTIZE,
                    TYPE),
            spec(
                    "spec.quantize.type",
                    "spec.type",
                    "found %s with spec.type Inference; write Dynamic, Static, Float16 or None, or spec.type: Generation or Encoder",
                    (s, _) -> when(
                            s.type() == FunctionType.Inference
                                    && BLOCKS.contains(s.quantize().type()),
                            s.quantize().type()),
                    "%s != 'Inference' || !(%s in %s)".formatted(TYPE, QUANTIZE, Validation.names(BLOCKS)),
                    QUANTIZE),
            spec(
                    "spec.quantize.blockSize",
                    "spec.quantize",
                    "found it with type %s, which has no blocks; remove it, or write type: Int8 or Int4",
                    (s, _) -> when(
                            s.quantize().blockSize().isPresent()
                                    && !BLOCKS.contains(s.quantize().type()),
                            s.quantize().type()),
                    "!(%s) || %s in %s".formatted(given("quantize.blockSize"), QUANTIZE, Validation.names(BLOCKS)),
                    QUANTIZE),
            spec(
                    "spec.quantize.blockSize",
                    "spec.quantize",
                    "found %s; write 16, 32, 64, 128 or 256",
                    (s, _) -> when(
                            s.quantize()
                                    .blockSize()
                                    .filter(size -> Integer.bitCount(size) != 1)
                                    .isPresent(),
                            s.quantize().blockSize().orElse(0)),
                    "!(%s) || self.quantize.blockSize in [16, 32, 64, 128, 256]".formatted(given("quantize.blockSize")),
                    "self.quantize.blockSize"),
            onlyTensors("shapes", s -> !s.modelInterface().shapes().isEmpty(), "self.shapes.size() == 0"),
            onlyTensors(
                    "optionalInputs",
                    s -> !s.modelInterface().optionalInputs().isEmpty(),
                    "self.optionalInputs.size() == 0"),
            onlyTensors("grpc", s -> s.modelInterface().grpc(), "!self.grpc"));

    private GenerationCrossFieldRules() {}

    static List<CrossFieldRule> rules() {
        return RULES;
    }

    /** @param unused CEL rule, which holds if the key has its default */
    private static CrossFieldRule onlyTensors(String key, Predicate<FunctionSpec> used, String unused) {
        return spec(
                "spec." + key,
                "spec.type",
                "found it with spec.type %s, but it is for tensors, and a call of such a function has text; remove it",
                (s, _) -> when(s.takesText() && used.test(s), s.type()),
                "!(%s) || !has(self.%s) || %s".formatted(TAKES_TEXT, key, unused),
                TYPE);
    }
}
