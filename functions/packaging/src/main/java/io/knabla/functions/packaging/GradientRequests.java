package io.knabla.functions.packaging;

import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.spec.FunctionSpec;
import java.util.Optional;

/** Creates the {@link GradientRequest} that a function's spec describes; empty for an inference function. */
public final class GradientRequests {
    private GradientRequests() {}

    /** Empty for an inference function. */
    public static Optional<GradientRequest> of(FunctionSpec spec) {
        return switch (spec.type()) {
            case Inference, Generation, Encoder -> Optional.empty();
            case Gradient -> spec.gradient().map(g -> new GradientRequest(Kind.GRADIENT, g));
            case TrainingStep -> spec.gradient().map(g -> new GradientRequest(Kind.TRAINING_STEP, g));
        };
    }
}
