package io.knabla.functions.spec;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The spec of a function with all defaults filled in. Only {@code FunctionYaml} creates it from text, so an instance is
 * valid.
 *
 * @param model a path relative to the file, {@code file://}, {@code s3://}, {@code https://}, or {@code sha256:…} of an
 *     uploaded model or a unit
 * @param externalData the model's external data files by their {@code location}: digests of uploads, which the CLI
 *     writes, or {@code s3://}
 * @param modelInterface {@code servedName}, {@code grpc} and {@code shapes} of the file
 * @param generation limits of text generation, for the type Generation only
 * @param timeout of one request, including a cold start
 * @param traffic empty = all requests to the newest ready version
 */
public record FunctionSpec(
        FunctionType type,
        String model,
        Map<String, String> externalData,
        ModelInterface modelInterface,
        Optional<Gradient> gradient,
        Generation generation,
        Quantize quantize,
        Resources resources,
        Placement placement,
        Scaling scaling,
        KeepWarm keepWarm,
        Batching batching,
        Duration timeout,
        List<TrafficTarget> traffic) {

    /** The pool that its replicas run on; {@code auto} follows from the GPUs that one replica needs. */
    public Pool chosenPool() {
        return switch (placement.pool) {
            case cpu -> Pool.cpu;
            case gpu -> Pool.gpu;
            case auto -> resources.gpu > 0 ? Pool.gpu : Pool.cpu;
        };
    }

    /** Time without requests after which the last replica may stop: the policy's own, or the autoscaler's. */
    public Duration idleAfter() {
        return switch (keepWarm.policy) {
            case Fixed -> keepWarm.idleTimeout;
            case Adaptive, Always, Never -> scaling.idleAfter;
        };
    }

    /** Whether its calls change one state: the next replica starts only after the last one has ended. */
    public boolean hasSingleWriter() {
        return type.has(Trait.SingleWriter);
    }

    /** Whether a call whose replica failed may be sent to another one. */
    public boolean isRepeatable() {
        return type.has(Trait.Repeatable);
    }

    /** Whether capacity {@code Mixed} may place replicas on spot nodes. */
    public boolean mayUseSpot() {
        return type.has(Trait.MayUseSpot);
    }

    /** Whether a process of the wake pool, which serves one function after the other, may serve it. */
    public boolean mayShareAPool() {
        return type.has(Trait.MayShareAPool);
    }

    /** Whether a replica keeps the weights in the store, where its successor resumes, instead of in the unit. */
    public boolean writesToStore() {
        return type.has(Trait.WritesToStore);
    }

    /** The longest silence within an answer that is passed on while it is made. */
    public Duration streamIdleTimeout() {
        return generation.streamIdleTimeout().orElse(timeout);
    }

    /** Whether {@code timeout} limits the time until an answer begins, instead of the whole answer. */
    public boolean streamsAnswers() {
        return type.has(Trait.StreamsAnswers);
    }

    /** Whether its calls have texts, not tensors, and its model is a folder as Hugging Face's hub has it. */
    public boolean takesText() {
        return type.has(Trait.TakesText);
    }

    /** The same with at least this many replicas, as far as {@code scaling.max} allows. */
    public FunctionSpec atLeast(int replicas) {
        int min = Math.min(Math.max(replicas, scaling.min), scaling.max);
        return withScaling(
                new Scaling(min, scaling.max, scaling.concurrency, scaling.targetUtilization, scaling.idleAfter));
    }

    public FunctionSpec withResources(Resources other) {
        return with(other, placement, scaling, keepWarm, traffic);
    }

    public FunctionSpec withPool(Pool pool) {
        Placement other = new Placement(pool, placement.capacity, placement.onDemandBase, placement.policy);
        return with(resources, other, scaling, keepWarm, traffic);
    }

    public FunctionSpec withScaling(Scaling other) {
        return with(resources, placement, other, keepWarm, traffic);
    }

    public FunctionSpec withKeepWarm(KeepWarm other) {
        return with(resources, placement, scaling, other, traffic);
    }

    public FunctionSpec withTraffic(List<TrafficTarget> other) {
        return with(resources, placement, scaling, keepWarm, other);
    }

    private FunctionSpec with(
            Resources size, Placement place, Scaling bounds, KeepWarm warmth, List<TrafficTarget> shares) {
        return new FunctionSpec(
                type,
                model,
                externalData,
                modelInterface,
                gradient,
                generation,
                quantize,
                size,
                place,
                bounds,
                warmth,
                batching,
                timeout,
                shares);
    }

    /** What a function computes; each type states how its replicas may be run. */
    public enum FunctionType {
        Inference(Trait.Repeatable, Trait.MayUseSpot, Trait.MayShareAPool),
        Gradient(Trait.Repeatable, Trait.MayUseSpot, Trait.MayShareAPool),
        TrainingStep(Trait.SingleWriter, Trait.WritesToStore),
        Generation(Trait.Repeatable, Trait.MayUseSpot, Trait.TakesText, Trait.StreamsAnswers),
        Encoder(Trait.Repeatable, Trait.MayUseSpot, Trait.MayShareAPool, Trait.TakesText);

        private final Set<Trait> traits;

        FunctionType(Trait... traits) {
            this.traits = Set.of(traits);
        }

        private boolean has(Trait trait) {
            return traits.contains(trait);
        }
    }

    private enum Trait {
        SingleWriter,
        Repeatable,
        MayUseSpot,
        MayShareAPool,
        WritesToStore,
        TakesText,
        StreamsAnswers
    }

    /**
     * Resources of one replica; empty means {@code auto}: derived from the static analysis.
     *
     * @param gpu whole GPUs, or a {@link GpuShare} of one
     */
    public record Resources(Optional<Long> milliCpu, Optional<Long> memoryBytes, double gpu) {
        /** The engine's threads per operator: the CPUs rounded up, or one if {@code cpu} is not set. */
        public long threads() {
            return milliCpu.map(milli -> Math.ceilDiv(milli, 1000L)).orElse(1L);
        }
    }

    /**
     * Pool and capacity type of the replicas; the first {@code onDemandBase} run on demand.
     *
     * @param policy decides which replicas of {@link Capacity#Mixed} run on spot capacity, and in which zones
     */
    public record Placement(Pool pool, Capacity capacity, int onDemandBase, SpotPolicyName policy) {
        /** Replicas that are on demand whatever happens: one at least with StaticMix. */
        public int leastOnDemand() {
            return capacity == Capacity.Mixed && policy == SpotPolicyName.StaticMix
                    ? Math.max(1, onDemandBase)
                    : onDemandBase;
        }
    }

    /** Names of the spot policies that serve requests. */
    public enum SpotPolicyName {
        OnDemandOnly,
        SpotOnly,
        StaticMix,
        SpotHedge,
        Adaptive
    }

    public enum Pool {
        auto,
        cpu,
        gpu
    }

    public enum Capacity {
        Spot,
        OnDemand,
        Mixed
    }

    /**
     * Bounds and target of the autoscaler.
     *
     * @param concurrency concurrent requests per replica
     * @param targetUtilization share of {@code concurrency} that the autoscaler aims for, in (0, 1]
     * @param idleAfter time without requests after which the last replica is removed
     */
    public record Scaling(int min, int max, int concurrency, double targetUtilization, Duration idleAfter) {}

    /**
     * Policy and schedule that keep replicas running without requests.
     *
     * @param idleTimeout for policy Fixed: how long a replica is kept after its last request
     * @param coldStartCost for policy Adaptive: USD that one second of waiting for a start is worth
     */
    public record KeepWarm(WarmPolicy policy, Duration idleTimeout, double coldStartCost, List<Schedule> schedule) {}

    public enum WarmPolicy {
        Adaptive,
        Fixed,
        Always,
        Never
    }

    /** A recurring time window in which at least {@code min} replicas run. */
    public record Schedule(String cron, String timezone, Duration duration, int min) {}

    /** Joins up to {@code maxSize} requests that arrive within {@code maxDelay}. */
    public record Batching(int maxSize, Duration maxDelay) {}

    /**
     * Share of the requests that one version receives.
     *
     * @param version a version's number; empty with {@code latest}
     * @param latest whether it is the newest ready version, whatever its number
     * @param tag gives the version a URL of its own, also with a share of 0
     */
    public record TrafficTarget(Optional<Integer> version, boolean latest, int percent, Optional<String> tag) {
        public TrafficTarget(int version, int percent) {
            this(Optional.of(version), false, percent, Optional.empty());
        }

        /** The newest ready version, without a tag. */
        public static TrafficTarget latest(int percent) {
            return new TrafficTarget(Optional.empty(), true, percent, Optional.empty());
        }

        public TrafficTarget tagged(String name) {
            return new TrafficTarget(version, latest, percent, Optional.of(name));
        }

        public TrafficTarget withPercent(int share) {
            return new TrafficTarget(version, latest, share, tag);
        }

        /** As in {@code 1=90}, {@code latest=10@canary}. */
        @Override
        public String toString() {
            return version.map(String::valueOf).orElse("latest") + "=" + percent
                    + tag.map(name -> "@" + name).orElse("");
        }
    }
}
