package io.knabla.functions.spec;

import io.knabla.functions.compiler.autodiff.options.Gradient.Memory;
import io.knabla.functions.compiler.autodiff.options.Gradient.MemoryStrategy;
import io.knabla.functions.spec.FunctionSpec.Batching;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Placement;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.Scaling;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Default values of all optional fields in function.yaml. */
public final class FunctionDefaults {
    static final Resources RESOURCES = new Resources(Optional.empty(), Optional.empty(), 0);
    static final Placement PLACEMENT = new Placement(Pool.auto, Capacity.Mixed, 0, SpotPolicyName.Adaptive);
    static final Scaling SCALING = new Scaling(0, 10, 4, 0.7, Duration.ofSeconds(60));

    /** Two replicas would train two copies of the weights. */
    static final Scaling TRAINING_SCALING = new Scaling(0, 1, 4, SCALING.targetUtilization(), SCALING.idleAfter());

    static final KeepWarm KEEP_WARM = new KeepWarm(WarmPolicy.Adaptive, Duration.ofMinutes(10), 0.001, List.of());
    static final Batching BATCHING = new Batching(1, Duration.ZERO);
    static final Memory MEMORY = new Memory(MemoryStrategy.None, Optional.empty());
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration GENERATION_TIMEOUT = Duration.ofSeconds(90);
    static final String NAMESPACE = "default";
    static final String TIMEZONE = "UTC";

    private FunctionDefaults() {}

    /** A replica generates many texts in the same runs: more requests than these would wait in it, unseen. */
    static Scaling scaling(FunctionType type, Generation generation) {
        return switch (type) {
            case Inference, Gradient, Encoder -> SCALING;
            case TrainingStep -> TRAINING_SCALING;
            case Generation ->
                new Scaling(
                        SCALING.min(),
                        SCALING.max(),
                        generation.maxSequences(),
                        SCALING.targetUtilization(),
                        SCALING.idleAfter());
        };
    }

    /**
     * A long text takes long; what is more than a spot node allows after its notice would keep functions off such
     * nodes.
     */
    static Duration timeout(FunctionType type) {
        return switch (type) {
            case Inference, Gradient, TrainingStep, Encoder -> TIMEOUT;
            case Generation -> GENERATION_TIMEOUT;
        };
    }

    /** The spec of an inference function that sets only its model. */
    public static FunctionSpec inference(String model) {
        return new FunctionSpec(
                FunctionType.Inference,
                model,
                Map.of(),
                ModelInterface.NONE,
                Optional.empty(),
                Generation.DEFAULT,
                Quantize.NONE,
                RESOURCES,
                PLACEMENT,
                SCALING,
                KEEP_WARM,
                BATCHING,
                TIMEOUT,
                List.of());
    }
}
