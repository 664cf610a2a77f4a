package io.knabla.functions.packaging;

import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.nio.file.Path;
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

    /**
     * Turns the model to half precision where that is safe.
     *
     * @param samples requests on which the error is measured
     */
    record Half(Optional<Path> samples) implements Transform {}

    /** Likewise without sample requests. */
    static Transform of(FunctionSpec spec, Map<String, Range> ranges) {
        return of(spec, ranges, Optional.empty());
    }

    /**
     * @param ranges of activations; used by static quantisation only
     * @param samples the file that {@code spec.quantize.calibration} names; used by half precision only
     */
    static Transform of(FunctionSpec spec, Map<String, Range> ranges, Optional<Path> samples) {
        Optional<GradientRequest> plan = GradientRequests.of(spec);
        if (plan.isPresent()) {
            return new Differentiate(plan.get());
        }
        QuantizeType type = spec.quantize().type();
        return switch (type) {
            case None -> new None();
            case Dynamic -> new QuantizeDynamic();
            case Static -> new QuantizeStatic(ranges);
            case Float16 -> new Half(samples);
            case Int8, Int4 ->
                throw new IllegalArgumentException(type + " is for the blocks of a language model, not for a graph");
        };
    }
}
