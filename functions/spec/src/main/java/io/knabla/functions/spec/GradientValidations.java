package io.knabla.functions.spec;

import static io.knabla.functions.spec.Validation.given;
import static io.knabla.functions.spec.Validation.spec;
import static io.knabla.functions.spec.Validation.value;
import static io.knabla.functions.spec.Validation.valueOr;
import static io.knabla.functions.spec.Validation.within;
import static io.knabla.functions.spec.Validations.MAX;
import static io.knabla.functions.spec.Validations.TYPE;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.util.List;
import java.util.stream.Stream;

/** CEL versions of {@link GradientCrossFieldRules} for the API server. */
final class GradientValidations {
    private static final String GRADIENT = "spec.gradient";
    private static final String LOSS = GRADIENT + ".loss";
    private static final String SCHEDULE = GRADIENT + ".optimizer.schedule";
    private static final String CLIP = GRADIENT + ".optimizer.clip";

    private static final String OPTIMIZER_GIVEN = "(" + given("gradient.optimizer") + ")";
    private static final String NAMES = valueOr("gradient.withRespectTo", "['parameters']");
    private static final String JOINED = value("batching.maxSize", FunctionDefaults.BATCHING.maxSize());
    private static final String QUANTIZE = value("quantize.type", QuantizeType.None);
    private static final String CALIBRATION = "(" + given("quantize.calibration") + ")";
    private static final String CURVE = value("type", Schedule.CONSTANT.type());

    private GradientValidations() {}

    static List<Validation> all() {
        return Stream.of(
                        ConditionalKeys.validations(),
                        types(),
                        quantize(),
                        loss(),
                        List.of(clip(true), clip(false)),
                        schedule())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Validation> types() {
        return List.of(
                spec(
                        GRADIENT,
                        TYPE + " != 'Inference' || !has(self.gradient)",
                        "found it with spec.type Inference; remove it, or write type: Gradient or TrainingStep"),
                spec(
                        GRADIENT,
                        TYPE + " == 'Inference' || has(self.gradient)",
                        "missing; spec.type %s needs to know its loss, write gradient: {loss: {output: …}}",
                        TYPE),
                spec(
                        GRADIENT + ".optimizer",
                        TYPE + " != 'TrainingStep' || !has(self.gradient) || " + OPTIMIZER_GIVEN,
                        "missing; spec.type TrainingStep needs one, such as {type: Adam, learningRate: 0.001}"),
                spec(
                        GRADIENT + ".optimizer",
                        TYPE + " != 'Gradient' || !" + OPTIMIZER_GIVEN,
                        "found it with spec.type Gradient, which changes no weights; remove it, or write type: TrainingStep"),
                spec(
                        GRADIENT + ".withRespectTo",
                        NAMES + ".size() > 0",
                        "found an empty list; write parameters, inputs, or names of initializers or inputs"),
                spec(
                        GRADIENT + ".withRespectTo",
                        TYPE + " != 'TrainingStep' || !('inputs' in " + NAMES + ")",
                        "found inputs, which a training step cannot change; write parameters, or names of initializers"),
                spec(
                        "spec.scaling.max",
                        TYPE + " != 'TrainingStep' || " + MAX + " <= 1",
                        "found %s, but a TrainingStep has one replica, as two would train two copies of the weights; write max: 1, or leave it out",
                        MAX),
                spec(
                        "spec.batching.maxSize",
                        TYPE + " == 'Inference' || " + JOINED + " <= 1",
                        "found %s with spec.type %s, whose loss is over the whole request, so requests cannot be joined; remove batching",
                        JOINED,
                        TYPE));
    }

    private static List<Validation> quantize() {
        return List.of(
                spec(
                        "spec.quantize",
                        TYPE + " == 'Inference' || " + QUANTIZE + " == 'None'",
                        "found %s with spec.type %s; integers have no gradients, write type: None, or spec.type: Inference",
                        QUANTIZE,
                        TYPE),
                spec(
                        "spec.quantize.calibration",
                        QUANTIZE + " != 'Static' || " + CALIBRATION,
                        "missing; type Static measures activations with it, write a file of requests"),
                spec(
                        "spec.quantize.calibration",
                        QUANTIZE + " == 'Static' || !" + CALIBRATION,
                        "found it with type %s, which measures nothing; remove it, or write type: Static",
                        QUANTIZE));
    }

    private static List<Validation> loss() {
        return List.of(
                within(
                        GRADIENT,
                        GRADIENT + ".memory.maxBytes",
                        "!("
                                + given("memory.maxBytes")
                                + ") || "
                                + value("memory.strategy", FunctionDefaults.MEMORY.strategy())
                                + " != 'None'",
                        "found it with strategy None; remove it, or write strategy: Recompute"),
                within(
                        LOSS,
                        LOSS + ".target",
                        "!has(self.target) || has(self.__function__)",
                        "found it without a loss function to compare with; add function, or remove it"),
                within(
                        LOSS,
                        LOSS + ".target",
                        "has(self.target) || !has(self.__function__)",
                        "missing; the loss function compares the output with it, write target: label or another name"),
                within(
                        LOSS,
                        LOSS + ".ignoreIndex",
                        "!has(self.ignoreIndex) || "
                                + value("targetForm", Gradient.LossOptions.DEFAULT.targetForm())
                                + " != 'Probabilities'",
                        "found it with targetForm Probabilities, which has no labels to ignore; remove it, or write targetForm: Labels"));
    }

    private static Validation clip(boolean both) {
        return both
                ? within(CLIP, CLIP, "!has(self.norm) || !has(self.value)", "found norm and value; write one of them")
                : within(
                        CLIP, CLIP, "has(self.norm) || has(self.value)", "is empty; write {norm: 1.0} or {value: 1.0}");
    }

    private static List<Validation> schedule() {
        return List.of(
                needed("totalSteps", "['Cosine', 'Linear']", "how many steps until the rate has fallen"),
                needed("stepSize", "['Step']", "after how many steps it falls"),
                needed("gamma", "['Step']", "what it is multiplied by, as in 0.1"),
                within(
                        SCHEDULE,
                        SCHEDULE + ".warmupSteps",
                        "!has(self.totalSteps) || !("
                                + CURVE
                                + " in ['Cosine', 'Linear']) || (has(self.warmupSteps) ? self.warmupSteps : 0) < self.totalSteps",
                        "found %s, not below totalSteps of %s, so the rate would never fall; lower it or raise totalSteps",
                        "(has(self.warmupSteps) ? self.warmupSteps : 0)",
                        "self.totalSteps"));
    }

    private static Validation needed(String key, String types, String meaning) {
        return within(
                SCHEDULE,
                SCHEDULE + "." + key,
                "!(" + CURVE + " in " + types + ") || has(self." + key + ")",
                "missing; type %s needs it: " + meaning,
                CURVE);
    }
}
