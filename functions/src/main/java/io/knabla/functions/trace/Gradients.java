package io.knabla.functions.trace;

import io.knabla.functions.autodiff.NotDifferentiable;
import io.knabla.functions.autodiff.Target;
import io.knabla.functions.autodiff.Transforms;
import io.knabla.functions.autodiff.Unreachable;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.lower.Importer;
import io.knabla.functions.graph.ssa.Dag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Values and gradients of a function that gives one number: traced for the shapes of its arguments, differentiated as a
 * deployed function would be, and run in Java.
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
     * @param arguments by position; null for those that are not real numbers
     * @param parameters by the names of tensors that the function uses
     */
    public record Result(Tensor value, List<Tensor> arguments, Map<String, Tensor> parameters) {

        /** By the argument at this position. */
        public Tensor by(int argument) {
            return arguments.get(argument);
        }

        /** By the parameter of this name. */
        public Tensor by(String parameter) {
            return parameters.get(parameter);
        }
    }

    /** By every real argument and every parameter. */
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
        var targets = new ArrayList<Target>();
        dag.inputs().forEach((name, value) -> targets.add(new Target(name, value)));
        dag.initializers().forEach((name, value) -> targets.add(new Target(name, value)));
        targets.removeIf(target -> !target.value().isFloat());
        Map<String, Tensor> found =
                new Traced(Transforms.valueAndGradient(dag, VALUE, targets, Unreachable.ZERO)).run(feeds);
        var byParameter = new LinkedHashMap<String, Tensor>();
        dag.initializers().keySet().forEach(p -> byParameter.put(p, found.get(p + "_grad")));
        List<Tensor> byArgument = Arrays.asList(
                feeds.keySet().stream().map(name -> found.get(name + "_grad")).toArray(Tensor[]::new));
        return new Result(found.get(VALUE), byArgument, byParameter);
    }

    /** As a deployed function's file is read, with every operator in the form that rules know. */
    private static Dag imported(Traced traced) {
        return switch (Importer.read(Model.of(traced.model()))) {
            case Importer.Imported.Read(Dag dag) -> dag;
            case Importer.Imported.Refused(var problems) -> throw new NotDifferentiable(problems);
        };
    }
}
