package io.knabla.functions.spec;

import static io.knabla.functions.spec.CrossFieldRule.spec;
import static io.knabla.functions.spec.CrossFieldRule.when;
import static io.knabla.functions.spec.FunctionDefaults.BATCHING;
import static io.knabla.functions.spec.FunctionDefaults.KEEP_WARM;
import static io.knabla.functions.spec.FunctionDefaults.PLACEMENT;
import static io.knabla.functions.spec.FunctionDefaults.RESOURCES;
import static io.knabla.functions.spec.FunctionDefaults.SCALING;
import static io.knabla.functions.spec.FunctionDefaults.TRAINING_SCALING;
import static io.knabla.functions.spec.Validation.given;
import static io.knabla.functions.spec.Validation.value;
import static io.knabla.functions.spec.Validation.valueOr;

import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Lists the rules that relate several fields of a spec, each of them valid alone. */
final class CrossFieldRules {
    static final String TYPE = value("type", FunctionType.Inference);
    static final String MAX = valueOr(
            "scaling.max", "%s == 'TrainingStep' ? %d : %d".formatted(TYPE, TRAINING_SCALING.max(), SCALING.max()));
    private static final String MIN = value("scaling.min", SCALING.min());
    private static final String BASE = value("placement.onDemandBase", PLACEMENT.onDemandBase());
    private static final String SPOT_POLICY = value("placement.policy", PLACEMENT.policy());
    private static final String GPU = value("resources.gpu", RESOURCES.gpu());
    private static final String POLICY = value("keepWarm.policy", KEEP_WARM.policy());
    private static final String SCHEDULE = valueOr("keepWarm.schedule", "[]");
    private static final String DELAY = value("batching.maxDelay", Durations.format(BATCHING.maxDelay()));
    private static final String TIMEOUT = value("timeout", Durations.format(FunctionDefaults.TIMEOUT));
    private static final String TRAFFIC = valueOr("traffic", "[]");

    /**
     * Where a rule compares entries with one another: the API server knows the most entries only of the field itself.
     */
    private static final String NO_TRAFFIC = "!" + given("traffic");

    private static final List<CrossFieldRule> RULES = Stream.of(replicas(), batching(), traffic(), warmth())
            .flatMap(List::stream)
            .toList();

    private CrossFieldRules() {}

    static List<CrossFieldRule> rules() {
        return RULES;
    }

    static List<Fault> check(FunctionSpec spec, Findings findings) {
        return Stream.of(RULES, GradientCrossFieldRules.rules(), GenerationCrossFieldRules.rules())
                .flatMap(List::stream)
                .flatMap(rule -> rule.fault(spec, findings).stream())
                .toList();
    }

    private static List<CrossFieldRule> replicas() {
        return List.of(
                spec(
                        "spec.scaling.min",
                        "spec.scaling.max",
                        "found %s, above spec.scaling.max of %s; lower min or raise max",
                        (s, _) -> above(s.scaling().min(), s),
                        MIN + " <= " + MAX,
                        MIN,
                        MAX),
                spec(
                        "spec.placement.onDemandBase",
                        "spec.scaling.max",
                        "found %s, above spec.scaling.max of %s; lower it or raise max",
                        (s, _) -> above(s.placement().onDemandBase(), s),
                        BASE + " <= " + MAX,
                        BASE,
                        MAX),
                spec(
                        "spec.placement.onDemandBase",
                        "spec.placement.capacity",
                        "found %s, but spec.placement.capacity Spot has no on-demand replicas; write capacity: Mixed, or 0",
                        (s, _) -> when(
                                s.placement().onDemandBase() > 0
                                        && s.placement().capacity() == Capacity.Spot,
                                s.placement().onDemandBase()),
                        BASE + " == 0 || " + value("placement.capacity", PLACEMENT.capacity()) + " != 'Spot'",
                        BASE),
                spec(
                        "spec.placement.policy",
                        "spec.placement.capacity",
                        "found %s, but a policy chooses between spot and on-demand capacity; write capacity: Mixed, or leave policy out",
                        (s, _) -> when(
                                s.placement().policy() != PLACEMENT.policy()
                                        && s.placement().capacity() != Capacity.Mixed,
                                s.placement().policy()),
                        SPOT_POLICY + " == 'Adaptive' || " + value("placement.capacity", PLACEMENT.capacity())
                                + " == 'Mixed'",
                        SPOT_POLICY),
                spec(
                        "spec.resources.gpu",
                        "spec.resources.gpu",
                        "found %s; write a whole number of GPUs up to 16, or a share of one: 0.5, 0.25, 0.2 or 0.125",
                        (s, _) -> when(
                                !GpuShare.isAllowed(s.resources().gpu()),
                                GpuShare.text(s.resources().gpu())),
                        GPU + " in " + GpuShare.ALLOWED,
                        GPU),
                spec(
                        "spec.resources.gpu",
                        "spec.placement.pool",
                        "found %s, but spec.placement.pool cpu has none; write pool: gpu or auto, or gpu: 0",
                        (s, _) -> when(
                                s.resources().gpu() > 0 && s.placement().pool() == Pool.cpu,
                                GpuShare.text(s.resources().gpu())),
                        GPU + " == 0.0 || " + value("placement.pool", PLACEMENT.pool()) + " != 'cpu'",
                        GPU));
    }

    private static Optional<Object[]> above(int replicas, FunctionSpec spec) {
        int max = spec.scaling().max();
        return when(replicas > max, replicas, max);
    }

    private static List<CrossFieldRule> batching() {
        return List.of(spec(
                "spec.batching.maxDelay",
                "spec.timeout",
                "found %s, not below spec.timeout of %s, so every batch could time out; lower it or raise timeout",
                (s, _) -> when(
                        s.batching().maxDelay().compareTo(s.timeout()) >= 0,
                        Durations.format(s.batching().maxDelay()),
                        Durations.format(s.timeout())),
                "!isDuration(DELAY) || !isDuration(TIMEOUT) || duration(DELAY) < duration(TIMEOUT)"
                        .replace("isDuration(DELAY)", isDuration(DELAY))
                        .replace("isDuration(TIMEOUT)", isDuration(TIMEOUT))
                        .replace("DELAY", DELAY)
                        .replace("TIMEOUT", TIMEOUT),
                DELAY,
                TIMEOUT));
    }

    private static String isDuration(String text) {
        return StructuralSchema.matches(text, Durations.STRUCTURAL);
    }

    private static List<CrossFieldRule> traffic() {
        return List.of(
                spec(
                        "spec.traffic",
                        "spec.traffic",
                        "found percentages that add up to %s; make them add up to 100",
                        (s, _) -> percentages(s.traffic()),
                        TRAFFIC + ".size() == 0 || " + TRAFFIC + ".map(t, t.percent).sum() == 100",
                        TRAFFIC + ".map(t, t.percent).sum()"),
                spec(
                        "spec.traffic",
                        "spec.traffic",
                        "found a version more than once; add its percentages up in one entry",
                        (s, _) -> twice(s.traffic().stream().map(target -> target.withPercent(0))),
                        NO_TRAFFIC
                                + " || self.traffic.all(t, self.traffic.exists_one(u, %s && %s))"
                                        .formatted(same("version", "0"), same("tag", "''"))),
                spec(
                        "spec.traffic",
                        "spec.traffic",
                        "found an entry that names no version, or one twice; write version: N, or latest: true",
                        (s, _) -> when(s.traffic().stream()
                                .anyMatch(target -> target.version().isPresent() == target.latest())),
                        TRAFFIC + ".all(t, has(t.version) != (has(t.latest) && t.latest))"),
                spec(
                        "spec.traffic",
                        "spec.traffic",
                        "found a tag more than once; give each entry its own",
                        (s, _) -> tagTwice(s.traffic()),
                        NO_TRAFFIC
                                + " || self.traffic.all(t, !has(t.tag) || self.traffic.exists_one(u, has(u.tag) && u.tag == t.tag))"));
    }

    /** CEL expression: whether the entries t and u agree on a key, also if both lack it. */
    private static String same(String key, String absent) {
        String value = "(has(%1$s.KEY) ? %1$s.KEY : ABSENT)".replace("KEY", key).replace("ABSENT", absent);
        return value.formatted("t") + " == " + value.formatted("u");
    }

    private static Optional<Object[]> percentages(List<TrafficTarget> traffic) {
        int sum = traffic.stream().mapToInt(TrafficTarget::percent).sum();
        return when(!traffic.isEmpty() && sum != 100, sum);
    }

    private static Optional<Object[]> tagTwice(List<TrafficTarget> traffic) {
        return twice(traffic.stream().flatMap(target -> target.tag().stream()));
    }

    private static Optional<Object[]> twice(Stream<?> values) {
        List<?> all = values.toList();
        return when(all.stream().distinct().count() < all.size());
    }

    private static List<CrossFieldRule> warmth() {
        return List.of(
                spec(
                        "spec.keepWarm.schedule",
                        "spec.scaling.max",
                        "found a min of %s, above spec.scaling.max of %s; lower it or raise max",
                        (s, _) -> above(mostScheduled(s), s),
                        SCHEDULE + ".all(s, (has(s.min) ? s.min : 1) <= " + MAX + ")",
                        SCHEDULE + ".map(s, (has(s.min) ? s.min : 1)).max()",
                        MAX),
                spec(
                        "spec.keepWarm.idleTimeout",
                        "spec.keepWarm.policy",
                        "missing; policy Fixed keeps a replica for exactly that long, write idleTimeout: 10m or another duration",
                        (s, found) -> when(s.keepWarm().policy() == WarmPolicy.Fixed
                                && !found.isGiven("spec.keepWarm.idleTimeout")),
                        POLICY + " != 'Fixed' || " + given("keepWarm.idleTimeout")));
    }

    private static int mostScheduled(FunctionSpec spec) {
        return spec.keepWarm().schedule().stream().mapToInt(Schedule::min).max().orElse(0);
    }
}
