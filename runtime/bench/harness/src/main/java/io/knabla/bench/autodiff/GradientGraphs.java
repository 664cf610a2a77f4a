package io.knabla.bench.autodiff;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.compiler.autodiff.CompiledGraph;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.Differentiator;
import io.knabla.functions.compiler.autodiff.GradientRequest;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Optional;

/** The graphs that packaging writes for a Gradient function: loss with gradients, and loss alone. */
record GradientGraphs(ModelProto valueAndGradient, ModelProto value) {

    /** Differentiates with respect to all parameters. */
    static GradientGraphs of(Workload workload) {
        var plan = new Gradient(
                Gradient.Loss.scalar("loss"),
                List.of("parameters"),
                Gradient.Unreachable.Zero,
                Optional.empty(),
                new Memory(MemoryStrategy.None, Optional.empty()));
        return switch (Differentiator.differentiate(
                Model.of(workload.model()), new GradientRequest(Kind.GRADIENT, plan))) {
            case Differentiated(var entries, var _, var _, var _) ->
                new GradientGraphs(entry(entries, "main"), entry(entries, "value"));
            case NotDifferentiated(var faults) -> throw new IllegalStateException(workload.name() + ": " + faults);
        };
    }

    private static ModelProto entry(List<CompiledGraph> entries, String name) {
        return entries.stream()
                .filter(e -> e.name().equals(name))
                .findFirst()
                .orElseThrow()
                .model();
    }
}
