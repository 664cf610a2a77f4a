package io.knabla.functions.packaging;

import io.knabla.functions.autodiff.GradientPlan;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.nio.file.Path;
import java.util.Optional;

/** What becomes of a model on its way into a unit. */
public sealed interface Transform {
    /** Nothing: it is served as it is. */
    record None() implements Transform {}

    record Differentiate(GradientPlan plan) implements Transform {}

    /** Weights become 8-bit integers; activations too, each call in the range that it finds. */
    record QuantizeDynamic() implements Transform {}

    /** Weights and activations become 8-bit integers, in ranges that these requests show. */
    record QuantizeStatic(Path calibration) implements Transform {}

    /** @param calibration the file that {@code spec.quantize.calibration} means */
    static Transform of(FunctionSpec spec, Optional<Path> calibration) {
        Optional<GradientPlan> plan = GradientPlans.of(spec);
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
