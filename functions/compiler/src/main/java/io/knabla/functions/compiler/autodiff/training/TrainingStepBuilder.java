package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.loss.LossGraph;
import io.knabla.functions.compiler.autodiff.loss.Losses;
import io.knabla.functions.compiler.autodiff.options.Gradient.Clip;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a training step as one graph: forward pass, backward pass and weight update. Parameters become inputs under
 * their names, their next values outputs {@code new:<name>}; optimizer state is in {@code opt.*} likewise.
 */
public final class TrainingStepBuilder {
    /** float32 scalar input. */
    public static final String LEARNING_RATE = "learning_rate";

    /** int64 scalar output: updates done, including this one. */
    public static final String STEP = "step";

    private static final String COUNT = "opt.step";
    private static final String GATHERED = "opt.gathered";
    private static final TensorType INTEGER = TensorType.of(ElementType.INT64, Shape.SCALAR);
    private static final TensorType REAL = TensorType.of(ElementType.FLOAT, Shape.SCALAR);

    private final Dag dag;
    private final Ops code;
    private final Optimizer optimizer;
    private final TrainingState state;

    private TrainingStepBuilder(Dag dag, Optimizer optimizer) {
        this.dag = dag;
        this.code = dag.code();
        this.optimizer = optimizer;
        this.state = new TrainingState(dag.builder());
    }

    /**
     * A training step.
     *
     * @param state inputs of {@code dag} that take the outputs {@code new:<input>} of the step before
     */
    public record Step(Dag dag, List<String> state) {
        public Step {
            state = List.copyOf(state);
        }
    }

    /**
     * @param parameters initializers of the graph with all their sizes known
     * @param rules of the derivatives
     */
    public static Step build(LossGraph loss, List<GradientTarget> parameters, Optimizer optimizer, RuleTable rules) {
        check(loss.dag(), parameters);
        return new TrainingStepBuilder(loss.dag(), optimizer).step(loss, parameters, rules);
    }

    private static void check(Dag dag, List<GradientTarget> parameters) {
        var problems = new ArrayList<Fault>();
        for (GradientTarget target : parameters) {
            if (dag.initializers().get(target.name()) != target.value()) {
                problems.add(new Fault(
                        "spec.gradient.withRespectTo",
                        "'%s' is not an initializer of the model, so there is nothing to train; type: Gradient gives its gradient"
                                .formatted(target.name())));
            }
        }
        if (!problems.isEmpty()) {
            throw new NotDifferentiableException(problems);
        }
    }

    private Step step(LossGraph loss, List<GradientTarget> parameters, RuleTable rules) {
        var weights = new LinkedHashMap<Value, Value>();
        parameters.forEach(
                p -> weights.put(p.value(), state.read(p.name(), p.value().type())));
        statistics(loss.dag()).forEach(weights::put);
        Map<String, Value> all = new LinkedHashMap<>(loss.dag().outputs());
        all.put("objective", loss.objective());
        Dag free = Rewriter.substitute(loss.dag().withOutputs(all), weights);
        keepStatistics(free);
        List<GradientTarget> targets = parameters.stream()
                .map(p -> new GradientTarget(p.name(), weights.get(p.value())))
                .toList();
        Dag backward = Transforms.valueAndGradient(free, "objective", targets, UnreachablePolicy.ZERO, rules);
        var gradients = new LinkedHashMap<String, Value>();
        targets.forEach(t -> gradients.put(t.name(), backward.outputs().get(t.name() + "_grad")));
        return update(backward.outputs().get(Losses.LOSS), targets, gradients);
    }

    private Step update(Value loss, List<GradientTarget> targets, Map<String, Value> gradients) {
        Value done = state.read(COUNT, INTEGER);
        AccumulatedGradients gathered = accumulate(gradients);
        Value next = code.add(done, gathered.applyAsInteger(code));
        state.write(COUNT, next);
        Value count = code.cast(code.add(done, code.integer(1)), ElementType.FLOAT);
        Value step = code.cast(done, ElementType.FLOAT);
        Value base = dag.builder().input(LEARNING_RATE, REAL);
        Value rate = code.mul(base, new LearningRateSchedules(code).factor(optimizer.schedule(), step));
        var update = new OptimizerUpdate(code, optimizer, state, rate, count);
        Map<String, Value> clipped = clipped(gathered.gradients());
        targets.forEach(t -> state.write(t.name(), update.nextWeight(t.name(), t.value(), clipped.get(t.name()))));
        targets.forEach(t -> gate(gathered, t.name(), "opt.m:" + t.name(), "opt.v:" + t.name()));
        return assembled(loss, next, base);
    }

    private void gate(AccumulatedGradients gathered, String... names) {
        for (String name : names) {
            state.change(name, (present, next) -> gathered.gate(code, present, next));
        }
    }

    private Step assembled(Value loss, Value count, Value base) {
        var inputs = new LinkedHashMap<>(dag.inputs());
        inputs.put(LEARNING_RATE, base);
        inputs.putAll(state.inputs());
        var outputs = new LinkedHashMap<String, Value>();
        outputs.put(Losses.LOSS, loss);
        outputs.put(STEP, count);
        outputs.putAll(state.outputs());
        return new Step(
                dag.withInputs(inputs).withOutputs(outputs),
                List.copyOf(state.inputs().keySet()));
    }

    /** Sums the gradients of several calls; the last of them applies their mean. */
    private AccumulatedGradients accumulate(Map<String, Value> gradients) {
        int calls = optimizer.accumulate();
        if (calls <= 1) {
            return AccumulatedGradients.none(gradients);
        }
        Value gathered = state.read(GATHERED, INTEGER);
        Value now = code.add(gathered, code.integer(1));
        Value last = code.greaterOrEqual(now, code.integer(calls));
        state.write(GATHERED, code.where(last, code.integer(0), now));
        var means = new LinkedHashMap<String, Value>();
        gradients.forEach((name, gradient) -> {
            Value sum = code.add(state.read("opt.sum:" + name, gradient.type()), gradient);
            state.write("opt.sum:" + name, code.where(last, code.scalar(sum, 0), sum));
            means.put(name, code.div(sum, calls));
        });
        return new AccumulatedGradients(means, last);
    }

    private Map<String, Value> clipped(Map<String, Value> gradients) {
        var clipped = new LinkedHashMap<>(gradients);
        optimizer.clip().ifPresent(clip -> clipped.putAll(applyClip(clip, gradients)));
        return clipped;
    }

    private Map<String, Value> applyClip(Clip clip, Map<String, Value> gradients) {
        var cut = new LinkedHashMap<String, Value>();
        switch (clip) {
            case Clip.Value(var most) ->
                gradients.forEach(
                        (name, g) -> cut.put(name, code.op("Clip", g, code.scalar(g, -most), code.scalar(g, most))));
            case Clip.Norm(var most) -> {
                Value factor = norm(gradients, most);
                gradients.forEach((name, g) -> cut.put(name, code.mul(g, code.castLike(factor, g))));
            }
        }
        return cut;
    }

    /** min(1, most / ‖g‖) over all gradients together, as PyTorch's clip_grad_norm_. */
    private Value norm(Map<String, Value> gradients, double most) {
        List<Value> squares = gradients.values().stream()
                .map(g -> code.cast(code.sumAll(code.square(g)), ElementType.FLOAT))
                .toList();
        Value norm = code.sqrt(code.sum(squares));
        Value ratio = code.div(code.scalar(norm, most), code.add(norm, 1e-6));
        return code.min(ratio, code.scalar(norm, 1));
    }

    /** Running statistics of batch normalisations in training mode, which every step updates. */
    private Map<Value, Value> statistics(Dag graph) {
        var moving = new HashMap<Value, Value>();
        Map<Value, String> names = new HashMap<>();
        graph.initializers().forEach((name, value) -> names.put(value, name));
        for (Op op : graph.ops()) {
            if (isTrainingMode(op) && names.containsKey(op.input(3)) && names.containsKey(op.input(4))) {
                moving.put(
                        op.input(3),
                        state.read(names.get(op.input(3)), op.input(3).type()));
                moving.put(
                        op.input(4),
                        state.read(names.get(op.input(4)), op.input(4).type()));
            }
        }
        return moving;
    }

    private void keepStatistics(Dag graph) {
        for (Op op : graph.ops()) {
            if (isTrainingMode(op) && state.inputs().containsValue(op.input(3))) {
                state.write(op.input(3).name(), op.output(1));
                state.write(op.input(4).name(), op.output(2));
            }
        }
    }

    private static boolean isTrainingMode(Op op) {
        return op.is("BatchNormalization")
                && op.attributes().integer("training_mode", 0) == 1
                && op.outputs().size() >= 3;
    }
}
