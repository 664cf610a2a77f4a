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
import java.util.List;
import java.util.Optional;

/** What {@code spec.gradient} may hold: one line a key, with its type, its bounds and its default. */
final class GradientSchema {
    /** More steps than anybody takes; a typing error ends here. */
    private static final int MOST_STEPS = 1_000_000_000;

    private static final long MEBIBYTE = 1L << 20;
    private static final Type<Long> MAX_BYTES =
            quantity(
                    "bytes from 1Mi to 16Ti such as 512Mi or 1Gi",
                    Quantities::parseBytes,
                    MEBIBYTE,
                    16L << 40);
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
                block.require(
                        "output", VALUE_NAME, "", "the model's output that the loss is made of"),
                block.find("function", choice(LossFunction.class)),
                block.find("target", VALUE_NAME),
                block.get("reduction", choice(Reduction.class), Reduction.Mean),
                options(block));
    }

    private static LossOptions options(Block block) {
        LossOptions defaults = LossOptions.DEFAULT;
        return new LossOptions(
                block.get("targetForm", choice(TargetForm.class), defaults.targetForm()),
                block.get("labelSmoothing", fraction(), defaults.labelSmoothing()),
                block.find("ignoreIndex", integer(-MOST_STEPS, MOST_STEPS)).map(Integer::longValue),
                block.get("classWeights", list(from(0, 1_000_000), 100_000), List.of()),
                block.get("delta", decimal(0, 1_000_000), defaults.delta()),
                block.get("axis", integer(-32, 31), defaults.axis()));
    }

    private static Optimizer optimizer(Block block) {
        OptimizerType type =
                block.require(
                        "type",
                        choice(OptimizerType.class),
                        OptimizerType.SGD,
                        "one of SGD, Momentum, Adam, AdamW");
        return new Optimizer(
                type,
                block.require("learningRate", decimal(0, 1_000), 0.001, "a number such as 0.001"),
                block.get("momentum", fraction(), 0.9),
                block.get("nesterov", bool(), false),
                block.get("beta1", fraction(), 0.9),
                block.get("beta2", fraction(), 0.999),
                block.get("epsilon", decimal(0, 1), 1e-8),
                block.get("weightDecay", from(0, 1_000), type == OptimizerType.AdamW ? 0.01 : 0.0),
                block.get("schedule", Block.of(GradientSchema::schedule), Schedule.CONSTANT),
                block.find("clip", Block.of(GradientSchema::clip)),
                block.get("accumulate", integer(1, 100_000), 1));
    }

    private static Schedule schedule(Block block) {
        return new Schedule(
                block.get("type", choice(ScheduleType.class), ScheduleType.Constant),
                block.get("warmupSteps", integer(0, MOST_STEPS), 0),
                block.get("totalSteps", integer(1, MOST_STEPS), Schedule.CONSTANT.totalSteps()),
                block.get("finalFactor", from(0, 1), Schedule.CONSTANT.finalFactor()),
                block.get("stepSize", integer(1, MOST_STEPS), Schedule.CONSTANT.stepSize()),
                block.get("gamma", decimal(0, 10), Schedule.CONSTANT.gamma()));
    }

    /** Both or none is a contradiction, told by its rule; one of them goes on here. */
    private static Clip clip(Block block) {
        Optional<Double> norm = block.find("norm", decimal(0, 1_000_000));
        Optional<Double> value = block.find("value", decimal(0, 1_000_000));
        return norm.<Clip>map(Clip.Norm::new).orElseGet(() -> new Clip.Value(value.orElse(1.0)));
    }

    private static Memory memory(Block block) {
        return new Memory(
                block.get(
                        "strategy", choice(MemoryStrategy.class), FunctionSpecs.MEMORY.strategy()),
                block.find("maxBytes", MAX_BYTES));
    }
}
