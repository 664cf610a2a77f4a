package io.knabla.functions.compiler.autodiff;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.autodiff.Differentiation.Differentiated;
import io.knabla.functions.compiler.autodiff.Differentiation.NotDifferentiated;
import io.knabla.functions.compiler.autodiff.GradientPlan.Kind;
import io.knabla.functions.compiler.autodiff.loss.Attached;
import io.knabla.functions.compiler.autodiff.loss.ClassIndices;
import io.knabla.functions.compiler.autodiff.loss.Losses;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiable;
import io.knabla.functions.compiler.autodiff.reverse.Target;
import io.knabla.functions.compiler.autodiff.reverse.Unreachable;
import io.knabla.functions.compiler.autodiff.training.TrainingSteps;
import io.knabla.functions.compiler.autodiff.training.TrainingSteps.Step;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.ConstantFolding;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.optimize.Finished;
import io.knabla.functions.compiler.optimize.Optimizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** From a model and a wish to the graphs of a unit: import → loss → selection → derivatives → files. */
public final class Differentiator {
    private final Dag model;
    private final Selection selected;
    private final GradientPlan plan;
    private final List<Fault> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private Differentiator(Dag model, Selection selected, GradientPlan plan) {
        this.model = model;
        this.selected = selected;
        this.plan = plan;
    }

    /** The model must have passed the checks of packaging; all faults come at once. */
    public static Differentiation differentiate(Model model, GradientPlan plan) {
        return switch (Importer.read(model)) {
            case ImportResult.Refused(var problems) -> refused(problems);
            case ImportResult.Success(var dag) ->
                of(Optimizer.prepare(ConstantFolding.fold(dag)), plan).run();
        };
    }

    /** What is selected must not be merged; in the graph that comes out it is found by name again. */
    private static Differentiator of(Dag dag, GradientPlan plan) {
        List<String> words = plan.gradient().withRespectTo();
        Selection before = Selection.of(dag, words);
        Dag merged = Optimizer.merge(
                dag, before.targets().stream().map(Target::value).toList());
        Selection selected = merged == dag ? before : Selection.of(merged, words);
        return new Differentiator(merged, selected, plan);
    }

    private Differentiation run() {
        Attached attached = plan.kind() == Kind.JACOBIAN ? unattached() : attached();
        problems.addAll(selected.problems());
        warnings.addAll(selected.warnings());
        warnings.addAll(Traps.in(model));
        if (!problems.isEmpty()) {
            return refused(problems);
        }
        Differentiation done = switch (plan.kind()) {
            case GRADIENT -> gradient(attached, selected.targets());
            case TRAINING_STEP -> training(attached, selected.targets());
            case HVP -> alone(() -> graphs(attached).hvp(selected.targets()));
            case JACOBIAN -> alone(() -> jacobian(selected.targets()));
        };
        return problems.isEmpty() ? done : refused(problems);
    }

    private Attached attached() {
        return gathered(() -> Losses.attach(model, plan.gradient().loss()));
    }

    private Optional<ClassIndices> labels() {
        return Losses.labels(model, plan.gradient().loss());
    }

    /** A Jacobian is that of the model's output itself. */
    private Attached unattached() {
        return new Attached(model, null);
    }

    private GradientGraphs graphs(Attached attached) {
        return new GradientGraphs(model, attached);
    }

    private Dag jacobian(List<Target> targets) {
        Dag dag = model;
        for (Target target : targets) {
            dag = Transforms.jacobian(dag, plan.gradient().loss().output(), target);
        }
        return dag;
    }

    private Differentiation alone(Supplier<Dag> graph) {
        Dag dag = gathered(graph);
        return dag == null
                ? null
                : new Differentiated(List.of(entry("main", dag)), List.of(), Optional.empty(), warnings);
    }

    private Differentiation gradient(Attached attached, List<Target> targets) {
        var entries = new ArrayList<Entry>();
        GradientGraphs graphs = graphs(attached);
        Dag main = gathered(() -> graphs.main(targets, unreachable()));
        if (main == null) {
            return null;
        }
        entries.add(main(main, attached.dag().outputs().keySet()));
        entries.add(entry("value", attached.dag()));
        entries.add(entry("apply", model));
        entries.add(entry("perturbed", graphs.perturbed(targets)));
        try {
            graphs.vjp().ifPresent(dag -> entries.add(entry("vjp", dag)));
            graphs.jvp().ifPresent(dag -> entries.add(entry("jvp", dag)));
        } catch (NotDifferentiable products) {
            warnings.add("no Jacobian products with respect to the inputs: " + products.getMessage());
        }
        return new Differentiated(entries, List.of(), labels(), warnings);
    }

    private Differentiation training(Attached attached, List<Target> targets) {
        var optimizer = plan.gradient().optimizer().orElseThrow();
        Step step = gathered(() -> TrainingSteps.of(attached, targets, optimizer));
        if (step == null) {
            return null;
        }
        List<StateTensor> state = step.state().stream()
                .map(name -> new StateTensor(name, "new:" + name))
                .toList();
        Entry main = main(step.dag(), Set.of(Losses.LOSS));
        return new Differentiated(List.of(main), state, labels(), warnings);
    }

    /** @param plain outputs of the graph that are there without derivatives */
    private Entry main(Dag dag, Set<String> plain) {
        Memory memory = plan.gradient().memory();
        Finished finished = switch (memory.strategy()) {
            case None -> Optimizer.finish(dag);
            case Recompute -> recomputed(dag, plain, memory.maxBytes());
        };
        return new Entry("main", finished.model(), OptionalLong.of(finished.peakBytes()));
    }

    private Finished recomputed(Dag dag, Set<String> plain, Optional<Long> most) {
        OptionalLong bytes = most.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        Finished finished = Optimizer.recompute(dag, plain, bytes);
        if (most.isPresent() && finished.peakBytes() > most.get()) {
            warnings.add("memory: %,d bytes are needed at once even with recomputation, and maxBytes is %,d: %s"
                    .formatted(finished.peakBytes(), most.get(), finished.reason()));
        }
        return finished;
    }

    private static Entry entry(String name, Dag dag) {
        return new Entry(name, Exporter.write(dag));
    }

    private Unreachable unreachable() {
        return switch (plan.gradient().unreachable()) {
            case Refuse -> Unreachable.REFUSE;
            case Zero -> Unreachable.ZERO;
        };
    }

    /** What the step gives, or null with its problems noted, so that the next step's come too. */
    private <T> T gathered(Supplier<T> step) {
        try {
            return step.get();
        } catch (NotDifferentiable refused) {
            problems.addAll(refused.problems());
            return null;
        }
    }

    private static NotDifferentiated refused(List<Fault> problems) {
        return new NotDifferentiated(List.copyOf(problems));
    }
}
