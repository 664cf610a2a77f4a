package io.knabla.controller.standin;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.FunctionSpec;
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
import io.knabla.functions.spec.Generation;
import io.knabla.functions.spec.ModelInterface;
import io.knabla.functions.spec.Quantize;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builder of valid specs; a test sets only what it is about. */
public record Specs(
        FunctionType type,
        Generation generation,
        Resources resources,
        Placement placement,
        Scaling scaling,
        Batching batching,
        Duration timeout) {
    public static Specs inference() {
        return new Specs(
                FunctionType.Inference,
                Generation.DEFAULT,
                new Resources(Optional.empty(), Optional.empty(), 0),
                new Placement(Pool.auto, Capacity.Mixed, 0, SpotPolicyName.Adaptive),
                new Scaling(0, 10, 4, 0.7, Duration.ofSeconds(60)),
                new Batching(1, Duration.ZERO),
                Duration.ofSeconds(30));
    }

    public Specs type(FunctionType wanted) {
        return new Specs(wanted, generation, resources, placement, scaling, batching, timeout);
    }

    public Specs streamIdleTimeout(Duration time) {
        return generation(Optional.of(time), Optional.empty());
    }

    /** Prompts are read by this function. */
    public Specs prefill(String function) {
        return generation(Optional.empty(), Optional.of(new Generation.Prefill(function)));
    }

    private Specs generation(Optional<Duration> streamIdleTimeout, Optional<Generation.Prefill> prefill) {
        Generation usual = Generation.DEFAULT;
        Generation wanted = new Generation(
                usual.contextLength(),
                usual.maxSequences(),
                usual.kvCache(),
                usual.queue(),
                streamIdleTimeout,
                usual.objectives(),
                usual.speculation(),
                prefill);
        return new Specs(type, wanted, resources, placement, scaling, batching, timeout);
    }

    public Specs resources(Resources wanted) {
        return new Specs(type, generation, wanted, placement, scaling, batching, timeout);
    }

    public Specs placement(Pool pool, Capacity capacity, int onDemandBase) {
        Placement wanted = new Placement(pool, capacity, onDemandBase, SpotPolicyName.Adaptive);
        return new Specs(type, generation, resources, wanted, scaling, batching, timeout);
    }

    public Specs policy(SpotPolicyName policy) {
        Placement wanted = new Placement(placement.pool(), placement.capacity(), placement.onDemandBase(), policy);
        return new Specs(type, generation, resources, wanted, scaling, batching, timeout);
    }

    public Specs scaling(int min, int max, int concurrency, Duration idleAfter) {
        Scaling wanted = new Scaling(min, max, concurrency, scaling.targetUtilization(), idleAfter);
        return new Specs(type, generation, resources, placement, wanted, batching, timeout);
    }

    public Specs batching(int maxSize) {
        return new Specs(
                type, generation, resources, placement, scaling, new Batching(maxSize, Duration.ofMillis(1)), timeout);
    }

    public Specs timeout(Duration wanted) {
        return new Specs(type, generation, resources, placement, scaling, batching, wanted);
    }

    public FunctionSpec spec() {
        return new FunctionSpec(
                type,
                "model.onnx",
                Map.of(),
                ModelInterface.NONE,
                Optional.empty(),
                generation,
                Quantize.NONE,
                resources,
                placement,
                scaling,
                new KeepWarm(WarmPolicy.Never, Duration.ZERO, 0, List.of()),
                batching,
                timeout,
                List.of());
    }

    public Version version(int number, Instant created) {
        return new Version(number, spec(), digest(number), digest(number), created);
    }

    public FunctionRecord record(String name, Instant created) {
        return new FunctionRecord(id(name), List.of(version(1, created)), List.of(), "");
    }

    public static FunctionId id(String name) {
        return new FunctionId("default", name);
    }

    public static Digest digest(int number) {
        return new Digest("sha256:" + "%064x".formatted(number));
    }
}
