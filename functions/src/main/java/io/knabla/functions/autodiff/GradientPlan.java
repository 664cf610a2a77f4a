package io.knabla.functions.autodiff;

import io.knabla.functions.spec.Gradient;

public record GradientPlan(Kind kind, Gradient gradient) {
    public enum Kind {
        GRADIENT,
        TRAINING_STEP,
        HVP,
        JACOBIAN
    }
}
