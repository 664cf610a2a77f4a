package io.knabla.functions.compiler.trace;

import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Computes values and gradients of a scalar function: traces it for the shapes of its arguments, differentiates it like
 * a deployed function and runs it in Java.
 */
public final class Gradients {
    private static final String VALUE = "value";

    private final Function<List<Tensor>, Tensor> function;

    private Gradients(Function<List<Tensor>, Tensor> function) {
        this.function = function;
    }

    public static Gradients of(UnaryOperator<Tensor> function) {
        return ofAll(arguments -> function.apply(arguments.getFirst()));
    }

    public static Gradients of(BinaryOperator<Tensor> function) {
        return ofAll(arguments -> function.apply(arguments.get(0), arguments.get(1)));
    }

    public static Gradients ofAll(Function<List<Tensor>, Tensor> function) {
        return new Gradients(function);
    }

    /**
     * Value and gradients at one point.
     *
     * @param arguments gradients by position; null for arguments that are not floating-point
     * @param parameters gradients by parameter name
     */
    public record Result(Tensor value, List<Tensor> arguments, Map<String, Tensor> parameters) {

        /** Gradient with respect to the argument at this position. */
        public Tensor by(int argument) {
            return arguments.get(argument);
        }

        /** Gradient with respect to the parameter of this name. */
        public Tensor by(String parameter) {
            return parameters.get(parameter);
        }
    }

    /** Computes the value and the gradients with respect to every floating-point argument and every parameter. */
    public Result at(Tensor... arguments) {
        Signature signature = new Signature(Map.of());
        var feeds = new LinkedHashMap<String, Tensor>();
        for (Tensor argument : arguments) {
            String name = "argument " + feeds.size();
            signature = signature.and(name, argument.type());
            feeds.put(name, argument);
        }
        Dag dag = imported(Trace.of(signature, in -> {
            var given = List.copyOf(in.tensors().values());
            return Outputs.of(VALUE, function.apply(given));
        }));
        var targets = new ArrayList<GradientTarget>();
        dag.inputs().forEach((name, value) -> targets.add(new GradientTarget(name, value)));
        dag.initializers().forEach((name, value) -> targets.add(new GradientTarget(name, value)));
        targets.removeIf(target -> !target.value().isFloat());
        Map<String, Tensor> found =
                new Traced(Transforms.valueAndGradient(dag, VALUE, targets, UnreachablePolicy.ZERO)).run(feeds);
        var byParameter = new LinkedHashMap<String, Tensor>();
        dag.initializers().keySet().forEach(p -> byParameter.put(p, found.get(p + "_grad")));
        List<Tensor> byArgument = Arrays.asList(
                feeds.keySet().stream().map(name -> found.get(name + "_grad")).toArray(Tensor[]::new));
        return new Result(found.get(VALUE), byArgument, byParameter);
    }

    /** Imports the trace like a deployed model, because differentiation rules expect imported operators. */
    private static Dag imported(Traced traced) {
        return switch (Importer.read(Model.of(traced.model()))) {
            case Importer.ImportResult.Success(Dag dag) -> dag;
            case Importer.ImportResult.Refused(var problems) -> throw new NotDifferentiableException(problems);
        };
    }
}
