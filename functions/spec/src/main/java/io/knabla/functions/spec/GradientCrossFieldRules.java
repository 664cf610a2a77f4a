package io.knabla.functions.spec;

import static io.knabla.functions.spec.CrossFieldRule.spec;
import static io.knabla.functions.spec.CrossFieldRule.when;
import static io.knabla.functions.spec.CrossFieldRule.within;
import static io.knabla.functions.spec.CrossFieldRules.MAX;
import static io.knabla.functions.spec.CrossFieldRules.TYPE;
import static io.knabla.functions.spec.Validation.given;
import static io.knabla.functions.spec.Validation.value;
import static io.knabla.functions.spec.Validation.valueOr;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.autodiff.options.Gradient.ScheduleType;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Lists the cross-field rules of gradients, training steps and quantisation. */
final class GradientCrossFieldRules {
    private static final String GRADIENT = "spec.gradient";
    private static final String LOSS = GRADIENT + ".loss";
    private static final String OPTIMIZER = GRADIENT + ".optimizer";
    private static final String SCHEDULE = OPTIMIZER + ".schedule";
    private static final String CLIP = OPTIMIZER + ".clip";

    private static final String DIFFERENTIATES = TYPE + " in ['Gradient', 'TrainingStep']";
    private static final String OPTIMIZER_GIVEN = "(" + given("gradient.optimizer") + ")";
    private static final String NAMES = valueOr("gradient.withRespectTo", "['parameters']");
    private static final String JOINED = value("batching.maxSize", FunctionDefaults.BATCHING.maxSize());
    private static final String QUANTIZE = value("quantize.type", QuantizeType.None);
    private static final String CALIBRATION = "(" + given("quantize.calibration") + ")";
    private static final Set<QuantizeType> EXACT = EnumSet.of(QuantizeType.None, QuantizeType.Float16);
    private static final Set<QuantizeType> MEASURED = EnumSet.of(QuantizeType.Static, QuantizeType.Float16);
    private static final String CURVE = value("type", Schedule.CONSTANT.type());

    private static final List<CrossFieldRule> RULES = Stream.of(
                    ConditionalKeys.rules(), types(), requests(), quantize(), loss(), clip(), schedule())
            .flatMap(List::stream)
            .toList();

    private GradientCrossFieldRules() {}

    static List<CrossFieldRule> rules() {
        return RULES;
    }

    private static List<CrossFieldRule> types() {
        return List.of(
                spec(
                        GRADIENT,
                        "spec.type",
                        "found it with spec.type %s; remove it, or write type: Gradient or TrainingStep",
                        (s, _) -> when(!differentiates(s) && s.gradient().isPresent(), s.type()),
                        DIFFERENTIATES + " || !has(self.gradient)",
                        TYPE),
                spec(
                        GRADIENT,
                        "spec.type",
                        "missing; spec.type %s needs to know its loss, write gradient: {loss: {output: …}}",
                        (s, _) -> when(differentiates(s) && s.gradient().isEmpty(), s.type()),
                        "!(%s) || has(self.gradient)".formatted(DIFFERENTIATES),
                        TYPE),
                spec(
                        OPTIMIZER,
                        "spec.type",
                        "missing; spec.type TrainingStep needs one, such as {type: Adam, learningRate: 0.001}",
                        (s, _) -> when(is(s, FunctionType.TrainingStep)
                                && s.gradient().isPresent()
                                && optimizer(s).isEmpty()),
                        TYPE + " != 'TrainingStep' || !has(self.gradient) || " + OPTIMIZER_GIVEN),
                spec(
                        OPTIMIZER,
                        "spec.type",
                        "found it with spec.type Gradient, which changes no weights; remove it, or write type: TrainingStep",
                        (s, _) -> when(
                                is(s, FunctionType.Gradient) && optimizer(s).isPresent()),
                        TYPE + " != 'Gradient' || !" + OPTIMIZER_GIVEN),
                spec(
                        GRADIENT + ".withRespectTo",
                        GRADIENT,
                        "found an empty list; write parameters, inputs, or names of initializers or inputs",
                        (s, _) -> when(gradient(s, g -> g.withRespectTo().isEmpty())),
                        NAMES + ".size() > 0"),
                spec(
                        GRADIENT + ".withRespectTo",
                        "spec.type",
                        "found inputs, which a training step cannot change; write parameters, or names of initializers",
                        (s, _) -> when(is(s, FunctionType.TrainingStep)
                                && gradient(s, g -> g.withRespectTo().contains("inputs"))),
                        TYPE + " != 'TrainingStep' || !('inputs' in " + NAMES + ")"));
    }

    private static boolean differentiates(FunctionSpec spec) {
        return is(spec, FunctionType.Gradient) || is(spec, FunctionType.TrainingStep);
    }

    private static boolean is(FunctionSpec spec, FunctionType type) {
        return spec.type() == type;
    }

    private static boolean gradient(FunctionSpec spec, Predicate<Gradient> wrong) {
        return spec.gradient().filter(wrong).isPresent();
    }

    private static Optional<Optimizer> optimizer(FunctionSpec spec) {
        return spec.gradient().flatMap(Gradient::optimizer);
    }

    private static List<CrossFieldRule> requests() {
        return List.of(
                spec(
                        "spec.scaling.max",
                        "spec.type",
                        "found %s, but a TrainingStep has one replica, as two would train two copies of the weights; write max: 1, or leave it out",
                        (s, _) -> when(
                                is(s, FunctionType.TrainingStep) && s.scaling().max() > 1,
                                s.scaling().max()),
                        TYPE + " != 'TrainingStep' || " + MAX + " <= 1",
                        MAX),
                spec(
                        "spec.batching.maxSize",
                        "spec.type",
                        "found %s with spec.type %s, whose requests are not joined by it; remove batching",
                        (s, _) -> when(
                                !is(s, FunctionType.Inference) && s.batching().maxSize() > 1,
                                s.batching().maxSize(),
                                s.type()),
                        TYPE + " == 'Inference' || " + JOINED + " <= 1",
                        JOINED,
                        TYPE));
    }

    private static List<CrossFieldRule> quantize() {
        return List.of(
                spec(
                        "spec.quantize",
                        "spec.type",
                        "found %s with spec.type %s; integers have no gradients, write type: None, or spec.type: Inference",
                        (s, _) -> when(
                                differentiates(s)
                                        && !EXACT.contains(s.quantize().type()),
                                s.quantize().type(),
                                s.type()),
                        "!(%s) || %s in %s".formatted(DIFFERENTIATES, QUANTIZE, Validation.names(EXACT)),
                        QUANTIZE,
                        TYPE),
                spec(
                        "spec.quantize",
                        "spec.type",
                        "found Float16 with spec.type %s; gradients in half precision vanish unless the loss is scaled, which is not done; write type: None, or spec.type: Inference",
                        (s, _) -> when(differentiates(s) && s.quantize().type() == QuantizeType.Float16, s.type()),
                        "!(%s) || %s != 'Float16'".formatted(DIFFERENTIATES, QUANTIZE),
                        TYPE),
                spec(
                        "spec.quantize.calibration",
                        "spec.quantize",
                        "missing; type Static measures activations with it, write a file of requests",
                        (s, _) -> when(s.quantize().type() == QuantizeType.Static
                                && s.quantize().calibration().isEmpty()),
                        QUANTIZE + " != 'Static' || " + CALIBRATION),
                spec(
                        "spec.quantize.calibration",
                        "spec.quantize",
                        "found it with type %s, which measures nothing; remove it, or write type: Static or Float16",
                        (s, _) -> when(
                                !measures(s.quantize())
                                        && s.quantize().calibration().isPresent(),
                                s.quantize().type()),
                        "%s in %s || !%s".formatted(QUANTIZE, Validation.names(MEASURED), CALIBRATION),
                        QUANTIZE));
    }

    private static boolean measures(Quantize quantize) {
        return MEASURED.contains(quantize.type());
    }

    private static List<CrossFieldRule> loss() {
        return List.of(
                within(
                        GRADIENT,
                        GRADIENT + ".memory.maxBytes",
                        GRADIENT + ".memory",
                        "found it with strategy None; remove it, or write strategy: Recompute",
                        (s, _) -> when(gradient(
                                s,
                                g -> g.memory().maxBytes().isPresent()
                                        && g.memory().strategy() == MemoryStrategy.None)),
                        "!("
                                + given("memory.maxBytes")
                                + ") || "
                                + value("memory.strategy", FunctionDefaults.MEMORY.strategy())
                                + " != 'None'"),
                within(
                        LOSS,
                        LOSS + ".target",
                        LOSS,
                        "found it without a loss function to compare with; add function, or remove it",
                        (s, _) -> when(gradient(s, g -> hasTarget(g) && !hasFunction(g))),
                        "!has(self.target) || has(self.__function__)"),
                within(
                        LOSS,
                        LOSS + ".target",
                        LOSS,
                        "missing; the loss function compares the output with it, write target: label or another name",
                        (s, _) -> when(gradient(s, g -> !hasTarget(g) && hasFunction(g))),
                        "has(self.target) || !has(self.__function__)"),
                within(
                        LOSS,
                        LOSS + ".ignoreIndex",
                        LOSS,
                        "found it with targetForm Probabilities, which has no labels to ignore; remove it, or write targetForm: Labels",
                        (s, found) -> when(found.isGiven(LOSS + ".ignoreIndex")
                                && gradient(s, g -> g.loss().options().targetForm() == TargetForm.Probabilities)),
                        "!has(self.ignoreIndex) || "
                                + value("targetForm", Gradient.LossOptions.DEFAULT.targetForm())
                                + " != 'Probabilities'"));
    }

    private static boolean hasTarget(Gradient gradient) {
        return gradient.loss().target().isPresent();
    }

    private static boolean hasFunction(Gradient gradient) {
        return gradient.loss().function().isPresent();
    }

    private static List<CrossFieldRule> clip() {
        return List.of(
                within(
                        CLIP,
                        CLIP,
                        CLIP,
                        "found norm and value; write one of them",
                        (s, found) -> when(clips(s) && clipGiven(found, "norm") && clipGiven(found, "value")),
                        "!has(self.norm) || !has(self.value)"),
                within(
                        CLIP,
                        CLIP,
                        CLIP,
                        "is empty; write {norm: 1.0} or {value: 1.0}",
                        (s, found) -> when(clips(s) && !clipGiven(found, "norm") && !clipGiven(found, "value")),
                        "has(self.norm) || has(self.value)"));
    }

    private static boolean clips(FunctionSpec spec) {
        return optimizer(spec).flatMap(Optimizer::clip).isPresent();
    }

    private static boolean clipGiven(Findings findings, String key) {
        return findings.isGiven(CLIP + "." + key);
    }

    private static List<CrossFieldRule> schedule() {
        Set<ScheduleType> lengths = EnumSet.of(ScheduleType.Cosine, ScheduleType.Linear);
        Set<ScheduleType> step = EnumSet.of(ScheduleType.Step);
        return List.of(
                missing("totalSteps", lengths, "how many steps until the rate has fallen"),
                missing("stepSize", step, "after how many steps it falls"),
                missing("gamma", step, "what it is multiplied by, as in 0.1"),
                within(
                        SCHEDULE,
                        SCHEDULE + ".warmupSteps",
                        SCHEDULE,
                        "found %s, not below totalSteps of %s, so the rate would never fall; lower it or raise totalSteps",
                        (s, _) -> schedule(s, lengths)
                                .filter(c -> c.totalSteps() > 0)
                                .flatMap(c -> when(c.warmupSteps() >= c.totalSteps(), c.warmupSteps(), c.totalSteps())),
                        "!has(self.totalSteps) || !("
                                + CURVE
                                + " in ['Cosine', 'Linear']) || (has(self.warmupSteps) ? self.warmupSteps : 0) < self.totalSteps",
                        "(has(self.warmupSteps) ? self.warmupSteps : 0)",
                        "self.totalSteps"));
    }

    private static CrossFieldRule missing(String key, Set<ScheduleType> types, String meaning) {
        return within(
                SCHEDULE,
                SCHEDULE + "." + key,
                SCHEDULE,
                "missing; type %s needs it: " + meaning,
                (s, found) -> schedule(s, types).flatMap(c -> when(!found.isGiven(SCHEDULE + "." + key), c.type())),
                "!(" + CURVE + " in " + Validation.names(types) + ") || has(self." + key + ")",
                CURVE);
    }

    private static Optional<Schedule> schedule(FunctionSpec spec, Set<ScheduleType> types) {
        return optimizer(spec).map(Optimizer::schedule).filter(schedule -> types.contains(schedule.type()));
    }
}
