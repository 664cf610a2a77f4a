package io.knabla.functions.spec;

import static io.knabla.functions.spec.Types.bool;
import static io.knabla.functions.spec.Types.choice;
import static io.knabla.functions.spec.Types.decimal;
import static io.knabla.functions.spec.Types.fraction;
import static io.knabla.functions.spec.Types.from;
import static io.knabla.functions.spec.Types.integer;
import static io.knabla.functions.spec.Types.list;
import static io.knabla.functions.spec.Types.quantity;
import static io.knabla.functions.spec.Types.text;

import io.knabla.functions.spec.Gradient.Clip;
import io.knabla.functions.spec.Gradient.Loss;
import io.knabla.functions.spec.Gradient.LossFunction;
import io.knabla.functions.spec.Gradient.LossOptions;
import io.knabla.functions.spec.Gradient.Memory;
import io.knabla.functions.spec.Gradient.MemoryStrategy;
import io.knabla.functions.spec.Gradient.Optimizer;
import io.knabla.functions.spec.Gradient.OptimizerType;
import io.knabla.functions.spec.Gradient.Reduction;
import io.knabla.functions.spec.Gradient.Schedule;
import io.knabla.functions.spec.Gradient.ScheduleType;
import io.knabla.functions.spec.Gradient.TargetForm;
import io.knabla.functions.spec.Gradient.Unreachable;
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
    private static final Type<Long> MAX_BYTES =
            quantity(Unit.BYTES, "bytes from 1Mi to 16Ti such as 512Mi or 1Gi", MEBIBYTE, 16L << 40);
    private static final Type<String> VALUE_NAME = text("the name of a value in the model", 512);

    private GradientSchema() {}

    static Gradient gradient(Block block) {
        return new Gradient(
                block.require(
                        "loss",
                        Block.of(GradientSchema::loss),
                        Loss.scalar(""),
                        "the loss, {output: …, function: …, target: …}"),
                block.get("withRespectTo", list(VALUE_NAME, 4_096), List.of("parameters")),
                block.get("unreachable", choice(Unreachable.class), Unreachable.Refuse),
                block.find("optimizer", Block.of(GradientSchema::optimizer)),
                block.get("memory", Block.of(GradientSchema::memory), FunctionSpecs.MEMORY));
    }

    private static Loss loss(Block block) {
        return new Loss(
                block.require("output", VALUE_NAME, "", "the model's output that the loss is made of"),
                block.find("function", choice(LossFunction.class)),
                block.find("target", VALUE_NAME),
                block.find("reduction", choice(Reduction.class)).orElse(Reduction.Mean),
                options(block));
    }

    private static LossOptions options(Block block) {
        LossOptions defaults = LossOptions.DEFAULT;
        return new LossOptions(
                block.find("targetForm", choice(TargetForm.class)).orElse(defaults.targetForm()),
                block.find("labelSmoothing", fraction()).orElse(defaults.labelSmoothing()),
                block.find("ignoreIndex", integer(-MOST_STEPS, MOST_STEPS)).map(Integer::longValue),
                block.find("classWeights", list(from(0, 1_000_000), 100_000)).orElse(List.of()),
                block.find("delta", decimal(0, 1_000_000)).orElse(defaults.delta()),
                block.find("axis", integer(-32, 31)).orElse(defaults.axis()));
    }

    private static Optimizer optimizer(Block block) {
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
                block.get("schedule", Block.of(GradientSchema::schedule), Schedule.CONSTANT),
                block.find("clip", Block.of(GradientSchema::clip)),
                block.get("accumulate", integer(1, 100_000), 1));
    }

    private static Schedule schedule(Block block) {
        return new Schedule(
                block.get("type", choice(ScheduleType.class), ScheduleType.Constant),
                block.get("warmupSteps", integer(0, MOST_STEPS), 0),
                block.find("totalSteps", integer(1, MOST_STEPS)).orElse(Schedule.CONSTANT.totalSteps()),
                block.find("finalFactor", from(0, 1)).orElse(Schedule.CONSTANT.finalFactor()),
                block.find("stepSize", integer(1, MOST_STEPS)).orElse(Schedule.CONSTANT.stepSize()),
                block.find("gamma", decimal(0, 10)).orElse(Schedule.CONSTANT.gamma()));
    }

    /** A cross-field rule reports both or neither; here one of them is enough. */
    private static Clip clip(Block block) {
        Optional<Double> norm = block.find("norm", decimal(0, 1_000_000));
        Optional<Double> value = block.find("value", decimal(0, 1_000_000));
        return norm.<Clip>map(Clip.Norm::new).orElseGet(() -> new Clip.Value(value.orElse(1.0)));
    }

    private static Memory memory(Block block) {
        return new Memory(
                block.get("strategy", choice(MemoryStrategy.class), FunctionSpecs.MEMORY.strategy()),
                block.find("maxBytes", MAX_BYTES));
    }
}
