package io.knabla.functions.compiler.autodiff.loss;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Attaches a loss function to a model's output. */
public final class Losses {
    /** Name of the graph's output that holds the loss. */
    public static final String LOSS = "loss";

    private static final String PATH = "spec.gradient.loss";

    private Losses() {}

    /** Throws {@link NotDifferentiableException} with all faults of the loss settings. */
    public static LossGraph attach(Dag dag, Loss loss) {
        List<Fault> problems = problems(dag, loss);
        if (!problems.isEmpty()) {
            throw new NotDifferentiableException(problems);
        }
        Value output = dag.outputs().get(loss.output());
        if (loss.function().isEmpty()) {
            return with(dag, dag.inputs(), output, dag.code().reshape(output));
        }
        LossFunction function = loss.function().get();
        Value target = dag.builder().input(loss.target().orElseThrow(), target(function, loss, output));
        var inputs = new LinkedHashMap<>(dag.inputs());
        inputs.put(target.name(), target);
        Value shown = value(dag, loss, function, output, target);
        Value objective = loss.reduction() == Reduction.None ? dag.code().sumAll(shown) : shown;
        return with(dag, inputs, shown, objective);
    }

    private static LossGraph with(Dag dag, Map<String, Value> inputs, Value shown, Value objective) {
        var outputs = new LinkedHashMap<String, Value>();
        outputs.put(LOSS, shown);
        dag.outputs().forEach(outputs::putIfAbsent);
        return new LossGraph(dag.withInputs(inputs).withOutputs(outputs), objective);
    }

    private static Value value(Dag dag, Loss loss, LossFunction function, Value output, Value target) {
        var distances = new DistanceLosses(dag.code(), loss.reduction());
        var classes = new ClassificationLosses(dag.code(), loss.reduction(), loss.options());
        return switch (function) {
            case MSE -> distances.squared(output, target);
            case MAE -> distances.absolute(output, target);
            case Huber -> distances.huber(output, target, loss.options().delta());
            case BCEWithLogits -> distances.binaryCrossEntropy(output, target);
            case Cosine -> distances.cosine(output, target);
            case NLL -> classes.negativeLogLikelihood(output, target);
            case SoftmaxCrossEntropy ->
                loss.options().targetForm() == TargetForm.Labels
                        ? classes.crossEntropyOfLabels(output, target)
                        : classes.crossEntropyOfProbabilities(output, target);
        };
    }

    private static TensorType target(LossFunction function, Loss loss, Value output) {
        if (!labels(function, loss)) {
            return output.type();
        }
        var dims = new ArrayList<>(output.knownShape().dims());
        dims.remove(ClassificationLosses.axis(loss.options(), dims.size()));
        return TensorType.of(ElementType.INT64, new Shape(dims));
    }

    private static boolean labels(LossFunction function, Loss loss) {
        return function == LossFunction.NLL
                || function == LossFunction.SoftmaxCrossEntropy
                        && loss.options().targetForm() == TargetForm.Labels;
    }

    /** The class indices that the target may hold, if it holds any; requires a loss that can be attached. */
    public static Optional<ClassIndexInput> labels(Dag dag, Loss loss) {
        return loss.function().filter(function -> labels(function, loss)).map(_ -> {
            Value scores = dag.outputs().get(loss.output());
            int axis = ClassificationLosses.axis(loss.options(), scores.rank());
            int weights = loss.options().classWeights().size();
            return new ClassIndexInput(
                    loss.target().orElseThrow(),
                    scores.knownShape().dims().get(axis).or(weights == 0 ? -1 : weights),
                    ClassificationLosses.ignored(loss.options()));
        });
    }

    private static List<Fault> problems(Dag dag, Loss loss) {
        var problems = new ArrayList<Fault>();
        Value output = dag.outputs().get(loss.output());
        if (output == null) {
            problems.add(new Fault(
                    PATH + ".output",
                    "the model has no output '%s'; it has %s"
                            .formatted(loss.output(), dag.outputs().keySet())));
        } else {
            problems.addAll(problems(loss, output));
        }
        loss.target()
                .filter(dag.inputs()::containsKey)
                .ifPresent(name -> problems.add(new Fault(
                        PATH + ".target",
                        "the model has an input '%s' already; choose another name for the loss's target"
                                .formatted(name))));
        if (dag.outputs().containsKey(LOSS) && !loss.output().equals(LOSS)) {
            problems.add(new Fault(
                    PATH + ".output",
                    "the model has an output 'loss' of its own, and the loss needs that name; rename it in the model"));
        }
        return problems;
    }

    private static List<Fault> problems(Loss loss, Value output) {
        if (!output.isFloat()) {
            return List.of(new Fault(
                    PATH + ".output",
                    "'%s' holds %s, and only floating-point values have derivatives"
                            .formatted(loss.output(), output.element())));
        }
        if (loss.function().isEmpty()) {
            return scalar(loss, output);
        }
        boolean classes =
                loss.function().get() == LossFunction.NLL || loss.function().get() == LossFunction.SoftmaxCrossEntropy;
        if (classes && (output.shape().isEmpty() || output.rank() < 2)) {
            return List.of(new Fault(
                    PATH + ".output",
                    "'%s' needs the dimensions [batch, classes, …] for %s, but %s"
                            .formatted(
                                    loss.output(),
                                    loss.function().get(),
                                    output.shape().map(s -> "has " + s).orElse("its shape is not known"))));
        }
        return classes ? axis(loss, output) : List.of();
    }

    private static List<Fault> axis(Loss loss, Value output) {
        int axis = loss.options().axis();
        int rank = output.rank();
        if (axis >= -rank && axis < rank) {
            return List.of();
        }
        return List.of(new Fault(
                PATH + ".axis",
                "is %d, but '%s' has %d dimensions; allowed is from %d to %d, and -1 is the last one"
                        .formatted(axis, loss.output(), rank, -rank, rank - 1)));
    }

    private static List<Fault> scalar(Loss loss, Value output) {
        boolean larger = output.shape().isPresent()
                && output.knownShape().dims().stream().anyMatch(d -> d instanceof Dim.Known(var n) && n != 1);
        if (!larger) {
            return List.of();
        }
        return List.of(new Fault(
                PATH,
                "'%s' has the shape %s and is no scalar; name a loss function and a target, such as {output: %s, function: SoftmaxCrossEntropy, target: label}"
                        .formatted(loss.output(), output.knownShape(), loss.output())));
    }
}
