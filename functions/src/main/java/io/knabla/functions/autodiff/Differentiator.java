package io.knabla.functions.autodiff;

import io.knabla.functions.graph.Model;
import io.knabla.functions.spec.Fault;
import java.util.List;

/** Stand-in with the shape agreed; the lead's takes its place. */
public final class Differentiator {
    private Differentiator() {}

    public static Differentiation differentiate(Model model, GradientPlan plan) {
        return new Differentiation.NotDifferentiated(
                List.of(new Fault("spec.type", "gradients are not built in yet")));
    }
}
