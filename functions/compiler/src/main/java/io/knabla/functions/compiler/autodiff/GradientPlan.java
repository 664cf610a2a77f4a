package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.compiler.autodiff.options.Gradient;

public record GradientPlan(Kind kind, Gradient gradient) {
    public enum Kind {
        GRADIENT,
        TRAINING_STEP,
        HVP,
        JACOBIAN
    }
}
