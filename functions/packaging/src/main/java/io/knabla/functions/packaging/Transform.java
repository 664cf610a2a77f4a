package io.knabla.functions.packaging;

import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.util.Map;
import java.util.Optional;

/** Transformation of a model during packaging. */
public sealed interface Transform {
    /** No transformation. */
    record None() implements Transform {}

    /** Derives gradient or training graphs. */
    record Differentiate(GradientRequest plan) implements Transform {}

    /** Quantises weights to 8-bit integers, and activations in every call with the range of that call. */
    record QuantizeDynamic() implements Transform {}

    /** Quantises weights and activations to 8-bit integers, with the ranges that the engine measured. */
    record QuantizeStatic(Map<String, Range> ranges) implements Transform {}

    /** @param ranges of activations; used by static quantisation only */
    static Transform of(FunctionSpec spec, Map<String, Range> ranges) {
        Optional<GradientRequest> plan = GradientRequests.of(spec);
        if (plan.isPresent()) {
            return new Differentiate(plan.get());
        }
        QuantizeType type = spec.quantize().type();
        return switch (type) {
            case None -> new None();
            case Dynamic -> new QuantizeDynamic();
            case Static -> new QuantizeStatic(ranges);
            case Int8, Int4 ->
                throw new IllegalArgumentException(type + " is for the blocks of a language model, not for a graph");
        };
    }
}
