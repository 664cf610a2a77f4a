package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.compiler.autodiff.options.Gradient;

/** Request to the differentiator: the kind of derivative, and the options of the {@code gradient} block. */
public record GradientRequest(Kind kind, Gradient gradient) {
    public enum Kind {
        GRADIENT,
        TRAINING_STEP,
        HVP,
        JACOBIAN
    }
}
