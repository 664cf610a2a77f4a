package io.knabla.functions.spec;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.autodiff.options.Gradient.ScheduleType;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;
import io.knabla.functions.spec.CrossFieldRules.Rule;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Cross-field rules of gradients, training steps and quantisation. */
final class GradientCrossFieldRules {
    private static final String GRADIENT = "spec.gradient";
    private static final String LOSS = GRADIENT + ".loss";
    private static final String OPTIMIZER = GRADIENT + ".optimizer";
    private static final String SCHEDULE = OPTIMIZER + ".schedule";
    private static final String CLIP = OPTIMIZER + ".clip";

    private GradientCrossFieldRules() {}

    static List<Rule> rules() {
        return Stream.of(ConditionalKeys.rules(), whole(), loss(), schedule())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Rule> whole() {
        return List.of(
                rule(GRADIENT, "spec.type", GradientCrossFieldRules::gradient),
                rule(OPTIMIZER, "spec.type", GradientCrossFieldRules::optimizer),
                rule(GRADIENT + ".memory.maxBytes", GRADIENT + ".memory", s -> maxBytes(s)),
                rule(GRADIENT + ".withRespectTo", GRADIENT, GradientCrossFieldRules::nothing),
                rule(GRADIENT + ".withRespectTo", "spec.type", GradientCrossFieldRules::inputs),
                rule("spec.scaling.max", "spec.type", GradientCrossFieldRules::replicas),
                rule("spec.batching.maxSize", "spec.type", GradientCrossFieldRules::batching),
                rule("spec.quantize", "spec.type", GradientCrossFieldRules::quantize),
                rule("spec.quantize.calibration", "spec.quantize", s -> calibration(s)),
                new Rule(CLIP, CLIP, GradientCrossFieldRules::clip));
    }

    private static List<Rule> loss() {
        return List.of(
                rule(LOSS + ".target", LOSS, GradientCrossFieldRules::target),
                given(
                        LOSS + ".ignoreIndex",
                        g -> g.loss().options().targetForm() == TargetForm.Probabilities,
                        "found it with targetForm Probabilities, which has no labels to ignore; remove it, or write targetForm: Labels"));
    }

    private static List<Rule> schedule() {
        Set<ScheduleType> lengths = Set.of(ScheduleType.Cosine, ScheduleType.Linear);
        return List.of(
                missing(".totalSteps", lengths, "how many steps until the rate has fallen"),
                missing(".stepSize", Set.of(ScheduleType.Step), "after how many steps it falls"),
                missing(".gamma", Set.of(ScheduleType.Step), "what it is multiplied by, as in 0.1"),
                rule(
                        SCHEDULE + ".warmupSteps",
                        SCHEDULE,
                        spec -> schedule(spec)
                                .filter(s -> lengths.contains(s.type()))
                                .filter(s -> s.totalSteps() > 0)
                                .filter(s -> s.warmupSteps() >= s.totalSteps())
                                .map(GradientCrossFieldRules::warmup)));
    }

    private static String warmup(Schedule schedule) {
        return "found %d, not below totalSteps of %d, so the rate would never fall; lower it or raise totalSteps"
                .formatted(schedule.warmupSteps(), schedule.totalSteps());
    }

    private static Rule rule(String path, String with, Function<FunctionSpec, Optional<String>> holds) {
        return new Rule(path, with, (spec, _) -> holds.apply(spec));
    }

    /** Reports a key that is set although another field makes it meaningless. */
    private static Rule given(String path, Predicate<Gradient> wrong, String message) {
        return new Rule(
                path,
                path.substring(0, path.lastIndexOf('.')),
                (spec, findings) -> spec.gradient()
                        .filter(gradient -> findings.isGiven(path) && wrong.test(gradient))
                        .map(_ -> message));
    }

    private static Rule missing(String key, Set<ScheduleType> types, String meaning) {
        return new Rule(
                SCHEDULE + key,
                SCHEDULE,
                (spec, findings) -> schedule(spec)
                        .filter(s -> types.contains(s.type()))
                        .filter(_ -> !findings.isGiven(SCHEDULE + key))
                        .map(s -> "missing; type %s needs it: %s".formatted(s.type(), meaning)));
    }

    private static Optional<Schedule> schedule(FunctionSpec spec) {
        return spec.gradient().flatMap(Gradient::optimizer).map(Optimizer::schedule);
    }

    private static Optional<String> when(boolean wrong, String message, Object... arguments) {
        return wrong ? Optional.of(message.formatted(arguments)) : Optional.empty();
    }

    private static Optional<String> gradient(FunctionSpec spec) {
        if (spec.type() == FunctionType.Inference) {
            return when(
                    spec.gradient().isPresent(),
                    "found it with spec.type Inference; remove it, or write type: Gradient or TrainingStep");
        }
        return when(
                spec.gradient().isEmpty(),
                "missing; spec.type %s needs to know its loss, write gradient: {loss: {output: …}}",
                spec.type());
    }

    private static Optional<String> optimizer(FunctionSpec spec) {
        boolean there = spec.gradient().flatMap(Gradient::optimizer).isPresent();
        if (spec.type() == FunctionType.TrainingStep && spec.gradient().isPresent()) {
            return when(!there, "missing; spec.type TrainingStep needs one, such as {type: Adam, learningRate: 0.001}");
        }
        return when(
                spec.type() == FunctionType.Gradient && there,
                "found it with spec.type Gradient, which changes no weights; remove it, or write type: TrainingStep");
    }

    private static Optional<String> target(FunctionSpec spec) {
        return spec.gradient()
                .map(Gradient::loss)
                .filter(loss -> loss.function().isPresent() != loss.target().isPresent())
                .map(
                        loss -> loss.target().isPresent()
                                ? "found it without a loss function to compare with; add function, or remove it"
                                : "missing; the loss function compares the output with it, write target: label or another name");
    }

    private static Optional<String> maxBytes(FunctionSpec spec) {
        return spec.gradient()
                .map(Gradient::memory)
                .filter(memory -> memory.maxBytes().isPresent())
                .filter(memory -> memory.strategy() == MemoryStrategy.None)
                .map(_ -> "found it with strategy None; remove it, or write strategy: Recompute");
    }

    private static Optional<String> nothing(FunctionSpec spec) {
        return when(
                spec.gradient().filter(g -> g.withRespectTo().isEmpty()).isPresent(),
                "found an empty list; write parameters, inputs, or names of initializers or inputs");
    }

    private static Optional<String> inputs(FunctionSpec spec) {
        boolean inputs = spec.gradient()
                .filter(g -> g.withRespectTo().contains("inputs"))
                .isPresent();
        return when(
                spec.type() == FunctionType.TrainingStep && inputs,
                "found inputs, which a training step cannot change; write parameters, or names of initializers");
    }

    private static Optional<String> replicas(FunctionSpec spec) {
        return when(
                spec.type() == FunctionType.TrainingStep && spec.scaling().max() > 1,
                "found %d, but a TrainingStep has one replica, as two would train two copies of the weights; write max: 1, or leave it out",
                spec.scaling().max());
    }

    private static Optional<String> batching(FunctionSpec spec) {
        return when(
                spec.type() != FunctionType.Inference && spec.batching().maxSize() > 1,
                "found %d with spec.type %s, whose loss is over the whole request, so requests cannot be joined; remove batching",
                spec.batching().maxSize(),
                spec.type());
    }

    private static Optional<String> quantize(FunctionSpec spec) {
        return when(
                spec.type() != FunctionType.Inference && spec.quantize().type() != Quantize.QuantizeType.None,
                "found %s with spec.type %s; integers have no gradients, write type: None, or spec.type: Inference",
                spec.quantize().type(),
                spec.type());
    }

    private static Optional<String> calibration(FunctionSpec spec) {
        boolean fixed = spec.quantize().type() == Quantize.QuantizeType.Static;
        boolean there = spec.quantize().calibration().isPresent();
        return fixed == there
                ? Optional.empty()
                : Optional.of(
                        fixed
                                ? "missing; type Static measures activations with it, write a file of requests"
                                : "found it with type %s, which measures nothing; remove it, or write type: Static"
                                        .formatted(spec.quantize().type()));
    }

    private static Optional<String> clip(FunctionSpec spec, Findings findings) {
        boolean there = spec.gradient()
                .flatMap(Gradient::optimizer)
                .flatMap(Optimizer::clip)
                .isPresent();
        boolean norm = findings.isGiven(CLIP + ".norm");
        boolean value = findings.isGiven(CLIP + ".value");
        return when(
                there && norm == value,
                norm ? "found norm and value; write one of them" : "is empty; write {norm: 1.0} or {value: 1.0}");
    }
}
