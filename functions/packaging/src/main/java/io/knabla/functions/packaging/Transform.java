package io.knabla.functions.packaging;

import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.nio.file.Path;
import java.util.Optional;

/** Transformation of a model during packaging. */
public sealed interface Transform {
    /** No transformation. */
    record None() implements Transform {}

    /** Derives gradient or training graphs. */
    record Differentiate(GradientRequest plan) implements Transform {}

    /** Quantises weights to 8-bit integers, and activations in every call with the range of that call. */
    record QuantizeDynamic() implements Transform {}

    /** Quantises weights and activations to 8-bit integers, with ranges measured on these requests. */
    record QuantizeStatic(Path calibration) implements Transform {}

    /** @param calibration local file of {@code spec.quantize.calibration} */
    static Transform of(FunctionSpec spec, Optional<Path> calibration) {
        Optional<GradientRequest> plan = GradientPlans.of(spec);
        if (plan.isPresent()) {
            return new Differentiate(plan.get());
        }
        QuantizeType type = spec.quantize().type();
        return switch (type) {
            case None -> new None();
            case Dynamic -> new QuantizeDynamic();
            case Static -> new QuantizeStatic(calibration.orElseThrow());
        };
    }
}
