package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.GradientRequest.Kind;
import io.knabla.functions.compiler.autodiff.loss.ClassIndexInput;
import io.knabla.functions.compiler.autodiff.loss.LossGraph;
import io.knabla.functions.compiler.autodiff.loss.Losses;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.RuleTable;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.rules.StandardRules;
import io.knabla.functions.compiler.autodiff.training.TrainingStepBuilder;
import io.knabla.functions.compiler.autodiff.training.TrainingStepBuilder.Step;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.ConstantFolding;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.optimize.GraphOptimizer;
import io.knabla.functions.compiler.optimize.OptimizedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Compiles a model into derivative graphs: import, loss, target selection, differentiation, optimisation, export. */
public final class Differentiator {
    /** Differences of a function that changes in steps say nothing about the estimate. */
    private static final String ESTIMATED =
            "gradients through QuantizeLinear are straight-through estimates; they were not compared with finite differences";

    private final Dag model;
    private final TargetSelection selected;
    private final GradientRequest plan;
    private final List<Fault> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private Differentiator(Dag model, TargetSelection selected, GradientRequest plan) {
        this.model = model;
        this.selected = selected;
        this.plan = plan;
    }

    /** Differentiates a model that has passed the checks of packaging; reports all faults at once. */
    public static Differentiation differentiate(Model model, GradientRequest plan) {
        return switch (Importer.read(model)) {
            case ImportResult.Refused(var problems) -> refused(problems);
            case ImportResult.Success(var dag) ->
                of(GraphOptimizer.fuseOperators(ConstantFolding.fold(dag)), plan)
                        .run();
        };
    }

    /** What is selected must not be merged, left out or not; in the merged graph it is looked up by name again. */
    private static Differentiator of(Dag dag, GradientRequest plan) {
        Gradient gradient = plan.gradient();
        TargetSelection all = TargetSelection.resolve(dag, gradient.withoutExceptions());
        Dag merged = GraphOptimizer.mergeProjections(
                dag, all.targets().stream().map(GradientTarget::value).toList());
        boolean known = merged == dag && gradient.except().isEmpty();
        TargetSelection selected = known ? all : TargetSelection.resolve(merged, gradient);
        return new Differentiator(merged, selected, plan);
    }

    private Differentiation run() {
        LossGraph attached = plan.kind() == Kind.JACOBIAN ? withoutLoss() : withLoss();
        problems.addAll(selected.problems());
        warnings.addAll(selected.warnings());
        if (plan.kind() == Kind.TRAINING_STEP) {
            warnings.add(selected.trained());
        }
        warnings.addAll(ExportPitfalls.find(model));
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        Differentiation done = switch (plan.kind()) {
            case GRADIENT -> gradient(attached, selected.targets());
            case TRAINING_STEP -> training(attached, selected.targets());
            case HVP -> singleGraph(() -> graphs(attached).hvp(selected.targets()));
            case JACOBIAN -> singleGraph(() -> jacobian(selected.targets()));
        };
        return problems.isEmpty() ? done : refused(problems);
    }

    private RuleTable rules() {
        return plan.gradient().straightThrough() ? StandardRules.STRAIGHT_THROUGH : StandardRules.TABLE;
    }

    private LossGraph withLoss() {
        return collectingFaults(() -> Losses.attach(model, plan.gradient().loss()));
    }

    private Optional<ClassIndexInput> labels() {
        return Losses.labels(model, plan.gradient().loss());
    }

    /** A Jacobian differentiates the model's output itself, without a loss. */
    private LossGraph withoutLoss() {
        return new LossGraph(model, null);
    }

    private GradientGraphs graphs(LossGraph attached) {
        return new GradientGraphs(model, attached, rules());
    }

    private Dag jacobian(List<GradientTarget> targets) {
        Dag dag = model;
        for (GradientTarget target : targets) {
            dag = Transforms.jacobian(dag, plan.gradient().loss().output(), target);
        }
        return dag;
    }

    private Differentiation singleGraph(Supplier<Dag> graph) {
        Dag dag = collectingFaults(graph);
        return dag == null
                ? null
                : new Differentiated(List.of(entry("main", dag)), List.of(), Optional.empty(), warnings);
    }

    private Differentiation gradient(LossGraph attached, List<GradientTarget> targets) {
        var entries = new ArrayList<CompiledGraph>();
        GradientGraphs graphs = graphs(attached);
        Dag main = collectingFaults(() -> graphs.main(targets, unreachable()));
        if (main == null) {
            return null;
        }
        entries.add(main(main, attached.dag().outputs().keySet()));
        entries.add(entry("value", attached.dag()));
        entries.add(entry("apply", model));
        if (plan.gradient().straightThrough()) {
            warnings.add(ESTIMATED);
        } else {
            entries.add(entry("perturbed", graphs.perturbed(targets)));
        }
        try {
            graphs.vjp().ifPresent(dag -> entries.add(entry("vjp", dag)));
            graphs.jvp().ifPresent(dag -> entries.add(entry("jvp", dag)));
        } catch (NotDifferentiableException products) {
            warnings.add("no Jacobian products with respect to the inputs: " + products.getMessage());
        }
        hessian(graphs, targets).ifPresent(entries::add);
        return new Differentiated(entries, List.of(), labels(), warnings);
    }

    /** Empty if a gradient has no derivative itself: few functions need one, and a request tells those that do. */
    private static Optional<CompiledGraph> hessian(GradientGraphs graphs, List<GradientTarget> targets) {
        try {
            return Optional.of(entry("hvp", graphs.hvp(targets)));
        } catch (NotDifferentiableException once) {
            return Optional.empty();
        }
    }

    private Differentiation training(LossGraph attached, List<GradientTarget> targets) {
        var optimizer = plan.gradient().optimizer().orElseThrow();
        Step step = collectingFaults(() -> TrainingStepBuilder.build(attached, targets, optimizer, rules()));
        if (step == null) {
            return null;
        }
        List<StateTensor> state = step.state().stream()
                .map(name -> new StateTensor(name, "new:" + name))
                .toList();
        CompiledGraph main = main(step.dag(), Set.of(Losses.LOSS));
        return new Differentiated(List.of(main), state, labels(), warnings);
    }

    /** @param plain outputs of the graph that need no derivatives */
    private CompiledGraph main(Dag dag, Set<String> plain) {
        Memory memory = plan.gradient().memory();
        OptimizedModel finished = switch (memory.strategy()) {
            case None -> GraphOptimizer.finish(dag);
            case Recompute -> recomputed(dag, plain, memory.maxBytes());
        };
        return new CompiledGraph("main", finished.model(), OptionalLong.of(finished.peakBytes()));
    }

    private OptimizedModel recomputed(Dag dag, Set<String> plain, Optional<Long> most) {
        OptionalLong bytes = most.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        OptimizedModel finished = GraphOptimizer.recompute(dag, plain, bytes);
        if (most.isPresent() && finished.peakBytes() > most.get()) {
            warnings.add("memory: %,d bytes are needed at once even with recomputation, and maxBytes is %,d: %s"
                    .formatted(finished.peakBytes(), most.get(), finished.reason()));
        }
        return finished;
    }

    private static CompiledGraph entry(String name, Dag dag) {
        return new CompiledGraph(name, Exporter.write(dag));
    }

    private UnreachablePolicy unreachable() {
        return switch (plan.gradient().unreachable()) {
            case Refuse -> UnreachablePolicy.REFUSE;
            case Zero -> UnreachablePolicy.ZERO;
        };
    }

    /** Runs a step; if it fails, records its faults and returns null, and later steps report theirs, too. */
    private <T> T collectingFaults(Supplier<T> step) {
        try {
            return step.get();
        } catch (NotDifferentiableException refused) {
            problems.addAll(refused.problems());
            return null;
        }
    }

    private static NotDifferentiated refused(List<Fault> problems) {
        return new NotDifferentiated(List.copyOf(problems));
    }
}
