package io.knabla.functions.spec;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.options.Gradient.Loss;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossFunction;
import io.knabla.functions.compiler.autodiff.options.Gradient.LossOptions;
import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.compiler.autodiff.options.Gradient.Optimizer;
import io.knabla.functions.compiler.autodiff.options.Gradient.OptimizerType;
import io.knabla.functions.compiler.autodiff.options.Gradient.TargetForm;
import io.knabla.functions.spec.FunctionSpec.Batching;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Placement;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.Scaling;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Generates random valid functions from a seed. */
public final class RandomFunctions {
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    private RandomFunctions() {}

    public static FunctionResource resource(Random random) {
        FunctionType type = pick(random, FunctionType.values());
        int max = type == FunctionType.TrainingStep ? 1 : random.nextInt(1, 1_001);
        int min = random.nextInt(max + 1);
        Capacity capacity = pick(random, Capacity.values());
        Duration timeout = Duration.ofMillis(random.nextLong(20_000, 3_600_001));
        FunctionSpec spec = new FunctionSpec(
                type,
                pick(random, "m.onnx", "a b/ü.onnx", "no", "1", "#x", DIGEST, "file:///m", "'"),
                random.nextBoolean() ? Map.of() : Map.of("w/0.bin", DIGEST, "null", DIGEST),
                random.nextBoolean() || type == FunctionType.Generation || type == FunctionType.Encoder
                        ? ModelInterface.NONE
                        : new ModelInterface(
                                maybe(random, "_My.Model"),
                                random.nextBoolean(),
                                Map.of("x", List.of(-1, 4), "y:0", List.of()),
                                List.of("k")),
                gradient(type, random),
                generation(type, random),
                quantize(type, random),
                new Resources(
                        maybe(random, random.nextLong(10, 1_024_001)),
                        maybe(random, random.nextLong(64L << 20, 16L << 40)),
                        0),
                new Placement(
                        pick(random, Pool.values()),
                        capacity,
                        capacity == Capacity.Spot ? 0 : min,
                        capacity == Capacity.Mixed ? pick(random, SpotPolicyName.values()) : SpotPolicyName.Adaptive),
                new Scaling(
                        min,
                        max,
                        random.nextInt(1, 1_001),
                        1 - random.nextDouble(),
                        Duration.ofMillis(random.nextLong(604_800_001))),
                keepWarm(max, random),
                new Batching(
                        type == FunctionType.Inference ? random.nextInt(1, 1_025) : 1,
                        Duration.ofMillis(random.nextLong(10_001))),
                timeout,
                random.nextBoolean()
                        ? List.of()
                        : List.of(new TrafficTarget(1, min % 101).tagged("on"), TrafficTarget.latest(100 - min % 101)));
        return new FunctionResource("ns-1", pick(random, "a", "no", "null", "1e3", "0x1f"), spec);
    }

    private static Generation generation(FunctionType type, Random random) {
        return type == FunctionType.Generation
                ? new Generation(
                        maybe(random, random.nextInt(2, 1 << 20)),
                        random.nextInt(1, 257),
                        new Generation.KvCache(
                                maybe(random, random.nextLong(1L << 20, 16L << 40)),
                                pick(random, Generation.KvCacheType.values())),
                        new Generation.Queue(random.nextInt(100_001), Duration.ofMillis(random.nextLong(3_600_001))),
                        maybe(random, Duration.ofMillis(random.nextLong(1, 3_600_001))),
                        new Generation.Objectives(
                                maybe(random, Duration.ofMillis(random.nextLong(1, 3_600_001))),
                                maybe(random, Duration.ofMillis(random.nextLong(1, 60_001)))),
                        random.nextBoolean() ? Generation.DEFAULT.speculation() : speculation(random),
                        maybe(random, new Generation.Prefill("reader")))
                : Generation.DEFAULT;
    }

    private static Generation.Speculation speculation(Random random) {
        Optional<Integer> tokens = maybe(random, random.nextInt(1, 17));
        return random.nextBoolean()
                ? new Generation.Speculation(Generation.SpeculationType.PromptLookup, tokens, Optional.empty())
                : new Generation.Speculation(Generation.SpeculationType.Draft, tokens, Optional.of("./small/"));
    }

    private static Quantize quantize(FunctionType type, Random random) {
        return switch (type) {
            case Inference ->
                pick(
                        random,
                        Quantize.NONE,
                        new Quantize(QuantizeType.Dynamic),
                        new Quantize(QuantizeType.Static, Optional.empty(), Optional.of("c.json")));
            case Gradient, TrainingStep -> Quantize.NONE;
            case Generation, Encoder ->
                pick(
                        random,
                        Quantize.NONE,
                        new Quantize(QuantizeType.Int8),
                        new Quantize(QuantizeType.Int4, Optional.of(32), Optional.empty()));
        };
    }

    private static Optional<Gradient> gradient(FunctionType type, Random random) {
        return switch (type) {
            case Inference, Generation, Encoder -> Optional.empty();
            case Gradient ->
                Optional.of(new Gradient(
                        loss(random),
                        List.of("parameters", "true", "fc1.*"),
                        random.nextBoolean() ? List.of() : List.of("fc1.bias", "no"),
                        pick(random, Gradient.Unreachable.values()),
                        random.nextBoolean(),
                        Optional.empty(),
                        new Memory(MemoryStrategy.Recompute, maybe(random, 1L << 30))));
            case TrainingStep ->
                Optional.of(new Gradient(
                        loss(random),
                        List.of("parameters"),
                        pick(random, Gradient.Unreachable.values()),
                        Optional.of(optimizer(random)),
                        new Memory(MemoryStrategy.None, Optional.empty())));
        };
    }

    /** Options that do not apply to the loss function keep their defaults, because a user cannot set them. */
    private static Loss loss(Random random) {
        if (random.nextInt(4) == 0) {
            return Loss.scalar("loss");
        }
        LossFunction function = pick(random, LossFunction.values());
        LossOptions none = LossOptions.DEFAULT;
        LossOptions options = switch (function) {
            case SoftmaxCrossEntropy ->
                new LossOptions(
                        TargetForm.Labels,
                        random.nextDouble(),
                        maybe(random, -100L),
                        random.nextBoolean() ? List.of() : List.of(0.0, 1.5),
                        none.delta(),
                        -1);
            case NLL ->
                new LossOptions(
                        TargetForm.Labels,
                        0,
                        maybe(random, 3L),
                        random.nextBoolean() ? List.of() : List.of(1e6),
                        none.delta(),
                        random.nextInt(0, 4));
            case Huber ->
                new LossOptions(
                        TargetForm.Labels, 0, Optional.empty(), List.of(), 1 - random.nextDouble(), none.axis());
            case MSE, MAE, BCEWithLogits, Cosine -> none;
        };
        return new Loss(
                "y", Optional.of(function), Optional.of("~"), pick(random, Gradient.Reduction.values()), options);
    }

    private static Optimizer optimizer(Random random) {
        OptimizerType type = pick(random, OptimizerType.values());
        boolean momentum = type == OptimizerType.Momentum;
        boolean adam = type == OptimizerType.Adam || type == OptimizerType.AdamW;
        return new Optimizer(
                type,
                1e-9 + random.nextDouble(),
                momentum ? random.nextDouble() : 0.9,
                momentum && random.nextBoolean(),
                adam ? random.nextDouble() : 0.9,
                adam ? random.nextDouble() : 0.999,
                adam ? 1 - random.nextDouble() : 1e-8,
                random.nextDouble(),
                switch (pick(random, Gradient.ScheduleType.values())) {
                    case Constant -> Gradient.Schedule.CONSTANT;
                    case Step ->
                        new Gradient.Schedule(Gradient.ScheduleType.Step, 5, 0, 0, 100, random.nextDouble() + 0.1);
                    case Cosine ->
                        new Gradient.Schedule(Gradient.ScheduleType.Cosine, 5, 100, random.nextDouble(), 0, 1);
                    case Linear ->
                        new Gradient.Schedule(Gradient.ScheduleType.Linear, 0, 100, random.nextDouble(), 0, 1);
                },
                switch (random.nextInt(3)) {
                    case 0 -> Optional.empty();
                    case 1 -> Optional.of(new Gradient.Clip.Norm(1 - random.nextDouble()));
                    default -> Optional.of(new Gradient.Clip.Value(1 - random.nextDouble()));
                },
                random.nextInt(1, 100_001));
    }

    private static KeepWarm keepWarm(int max, Random random) {
        return new KeepWarm(
                pick(random, WarmPolicy.values()),
                Duration.ofMillis(random.nextLong(1, 604_800_001)),
                random.nextInt(4) / 1024.0,
                random.nextBoolean()
                        ? List.of()
                        : List.of(new Schedule("*/5 8-18 * * 1-5", "Europe/Berlin", Duration.ofHours(10), max)));
    }

    private static <T> Optional<T> maybe(Random random, T value) {
        return random.nextBoolean() ? Optional.of(value) : Optional.empty();
    }

    @SafeVarargs
    private static <T> T pick(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }
}
