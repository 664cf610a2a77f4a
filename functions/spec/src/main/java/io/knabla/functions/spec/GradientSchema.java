package io.knabla.functions.spec;

import static io.knabla.functions.spec.FieldTypes.bool;
import static io.knabla.functions.spec.FieldTypes.choice;
import static io.knabla.functions.spec.FieldTypes.decimal;
import static io.knabla.functions.spec.FieldTypes.fraction;
import static io.knabla.functions.spec.FieldTypes.from;
import static io.knabla.functions.spec.FieldTypes.integer;
import static io.knabla.functions.spec.FieldTypes.list;
import static io.knabla.functions.spec.FieldTypes.quantity;
import static io.knabla.functions.spec.FieldTypes.text;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Clip;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.OptimizerType;
import io.knabla.functions.compiler.autodiff.options.Gradient.Reduction;
import io.knabla.functions.compiler.autodiff.options.Gradient.Schedule;
import io.knabla.functions.compiler.autodiff.options.Gradient.ScheduleType;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;
import io.knabla.functions.compiler.autodiff.options.Gradient.Unreachable;
import io.knabla.functions.spec.Quantities.Unit;
import java.util.List;
import java.util.Optional;

/**
 * Schema of {@code spec.gradient}: one line per key with type, bounds and default. A key that is only sometimes allowed
 * is read with {@code find}, not {@code get}: the API server would write a default into every object, and the key would
 * count as set.
 */
final class GradientSchema {
    /** More steps than any training takes, so it catches typing errors. */
    private static final int MOST_STEPS = 1_000_000_000;

    private static final long MEBIBYTE = 1L << 20;
    private static final FieldType<Long> MAX_BYTES =
            quantity(Unit.BYTES, "bytes from 1Mi to 16Ti such as 512Mi or 1Gi", MEBIBYTE, 16L << 40);
    private static final FieldType<String> VALUE_NAME = text("the name of a value in the model", 512);

    private GradientSchema() {}

    static Gradient gradient(MappingReader block) {
        return new Gradient(
                block.require(
                        "loss",
                        MappingReader.of(GradientSchema::loss),
                        Loss.scalar(""),
                        "the loss, {output: …, function: …, target: …}"),
                block.get("withRespectTo", list(VALUE_NAME, 4_096), List.of("parameters")),
                block.get("except", list(VALUE_NAME, 4_096), List.of()),
                block.get("unreachable", choice(Unreachable.class), Unreachable.Refuse),
                block.get("straightThrough", bool(), false),
                block.find("optimizer", MappingReader.of(GradientSchema::optimizer)),
                block.get("memory", MappingReader.of(GradientSchema::memory), FunctionDefaults.MEMORY));
    }

    private static Loss loss(MappingReader block) {
        return new Loss(
                block.require("output", VALUE_NAME, "", "the model's output that the loss is made of"),
                block.find("function", choice(LossFunction.class)),
                block.find("target", VALUE_NAME),
                block.find("reduction", choice(Reduction.class)).orElse(Reduction.Mean),
                options(block));
    }

    private static LossOptions options(MappingReader block) {
        LossOptions defaults = LossOptions.DEFAULT;
        return new LossOptions(
                block.find("targetForm", choice(TargetForm.class)).orElse(defaults.targetForm()),
                block.find("labelSmoothing", fraction()).orElse(defaults.labelSmoothing()),
                block.find("ignoreIndex", integer(-MOST_STEPS, MOST_STEPS)).map(Integer::longValue),
                block.find("classWeights", list(from(0, 1_000_000), 100_000)).orElse(List.of()),
                block.find("delta", decimal(0, 1_000_000)).orElse(defaults.delta()),
                block.find("axis", integer(-32, 31)).orElse(defaults.axis()));
    }

    private static Optimizer optimizer(MappingReader block) {
        OptimizerType type = block.require(
                "type", choice(OptimizerType.class), OptimizerType.SGD, "one of SGD, Momentum, Adam, AdamW");
        return new Optimizer(
                type,
                block.require("learningRate", decimal(0, 1_000), 0.001, "a number such as 0.001"),
                block.find("momentum", fraction()).orElse(0.9),
                block.find("nesterov", bool()).orElse(false),
                block.find("beta1", fraction()).orElse(0.9),
                block.find("beta2", fraction()).orElse(0.999),
                block.find("epsilon", decimal(0, 1)).orElse(1e-8),
                block.find("weightDecay", from(0, 1_000)).orElse(type == OptimizerType.AdamW ? 0.01 : 0.0),
                block.get("schedule", MappingReader.of(GradientSchema::schedule), Schedule.CONSTANT),
                block.find("clip", MappingReader.of(GradientSchema::clip)),
                block.get("accumulate", integer(1, 100_000), 1));
    }

    private static Schedule schedule(MappingReader block) {
        return new Schedule(
                block.get("type", choice(ScheduleType.class), ScheduleType.Constant),
                block.get("warmupSteps", integer(0, MOST_STEPS), 0),
                block.find("totalSteps", integer(1, MOST_STEPS)).orElse(Schedule.CONSTANT.totalSteps()),
                block.find("finalFactor", from(0, 1)).orElse(Schedule.CONSTANT.finalFactor()),
                block.find("stepSize", integer(1, MOST_STEPS)).orElse(Schedule.CONSTANT.stepSize()),
                block.find("gamma", decimal(0, 10)).orElse(Schedule.CONSTANT.gamma()));
    }

    /** A cross-field rule reports both or neither; here one of them is enough. */
    private static Clip clip(MappingReader block) {
        Optional<Double> norm = block.find("norm", decimal(0, 1_000_000));
        Optional<Double> value = block.find("value", decimal(0, 1_000_000));
        return norm.<Clip>map(Clip.Norm::new).orElseGet(() -> new Clip.Value(value.orElse(1.0)));
    }

    private static Memory memory(MappingReader block) {
        return new Memory(
                block.get("strategy", choice(MemoryStrategy.class), FunctionDefaults.MEMORY.strategy()),
                block.find("maxBytes", MAX_BYTES));
    }
}
