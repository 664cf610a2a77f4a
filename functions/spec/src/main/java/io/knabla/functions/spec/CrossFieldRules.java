package io.knabla.functions.spec;

import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks the rules that relate several fields of a spec, each valid on its own. */
final class CrossFieldRules {

    /**
     * A condition on two fields of a spec.
     *
     * @param path where the fault is reported
     * @param with the other field; the rule is skipped if either field is itself invalid
     * @param check returns empty if the rule holds, else what is wrong and what to do
     */
    record Rule(String path, String with, BiFunction<FunctionSpec, Findings, Optional<String>> check) {}

    private static final List<Rule> RULES = List.of(
            rule("spec.scaling.min", "spec.scaling.max", CrossFieldRules::minAboveMax),
            rule("spec.placement.onDemandBase", "spec.scaling.max", CrossFieldRules::base),
            rule("spec.placement.onDemandBase", "spec.placement.capacity", CrossFieldRules::spotBase),
            rule("spec.resources.gpu", "spec.placement.pool", CrossFieldRules::gpuOnCpu),
            rule("spec.keepWarm.schedule", "spec.scaling.max", CrossFieldRules::scheduleAboveMax),
            rule("spec.batching.maxDelay", "spec.timeout", CrossFieldRules::delayAboveTimeout),
            rule("spec.traffic", "spec.traffic", CrossFieldRules::percentages),
            rule("spec.traffic", "spec.traffic", CrossFieldRules::versionTwice),
            new Rule("spec.keepWarm.idleTimeout", "spec.keepWarm.policy", CrossFieldRules::idle));

    private CrossFieldRules() {}

    private static Rule rule(String path, String with, Function<FunctionSpec, Optional<String>> holds) {
        return new Rule(path, with, (spec, findings) -> holds.apply(spec));
    }

    static Stream<Rule> rules() {
        return Stream.concat(RULES.stream(), GradientCrossFieldRules.rules().stream());
    }

    static List<Fault> check(FunctionSpec spec, Findings findings) {
        return rules().filter(rule -> !findings.isFaulty(rule.path()) && !findings.isFaulty(rule.with()))
                .flatMap(rule -> found(rule, spec, findings))
                .toList();
    }

    private static Stream<Fault> found(Rule rule, FunctionSpec spec, Findings findings) {
        return rule.check().apply(spec, findings).stream().map(message -> new Fault(rule.path(), message));
    }

    private static Optional<String> when(boolean wrong, String message, Object... arguments) {
        return wrong ? Optional.of(message.formatted(arguments)) : Optional.empty();
    }

    private static Optional<String> minAboveMax(FunctionSpec spec) {
        int min = spec.scaling().min();
        int max = spec.scaling().max();
        return when(min > max, "found %d, above spec.scaling.max of %d; lower min or raise max", min, max);
    }

    private static Optional<String> base(FunctionSpec spec) {
        int base = spec.placement().onDemandBase();
        int max = spec.scaling().max();
        return when(base > max, "found %d, above spec.scaling.max of %d; lower it or raise max", base, max);
    }

    private static Optional<String> spotBase(FunctionSpec spec) {
        return when(
                spec.placement().onDemandBase() > 0 && spec.placement().capacity() == Capacity.Spot,
                "found %d, but spec.placement.capacity Spot has no on-demand replicas; write capacity: Mixed, or 0",
                spec.placement().onDemandBase());
    }

    private static Optional<String> gpuOnCpu(FunctionSpec spec) {
        return when(
                spec.resources().gpu() > 0 && spec.placement().pool() == Pool.cpu,
                "found %d, but spec.placement.pool cpu has none; write pool: gpu or auto, or gpu: 0",
                spec.resources().gpu());
    }

    private static Optional<String> scheduleAboveMax(FunctionSpec spec) {
        int most = spec.keepWarm().schedule().stream()
                .mapToInt(Schedule::min)
                .max()
                .orElse(0);
        int max = spec.scaling().max();
        return when(most > max, "found a min of %d, above spec.scaling.max of %d; lower it or raise max", most, max);
    }

    private static Optional<String> delayAboveTimeout(FunctionSpec spec) {
        return when(
                spec.batching().maxDelay().compareTo(spec.timeout()) >= 0,
                "found %s, not below spec.timeout of %s, so every batch could time out; lower it or raise timeout",
                Durations.format(spec.batching().maxDelay()),
                Durations.format(spec.timeout()));
    }

    private static Optional<String> percentages(FunctionSpec spec) {
        int sum = spec.traffic().stream().mapToInt(TrafficTarget::percent).sum();
        return when(
                !spec.traffic().isEmpty() && sum != 100,
                "found percentages that add up to %d; make them add up to 100",
                sum);
    }

    private static Optional<String> versionTwice(FunctionSpec spec) {
        long versions =
                spec.traffic().stream().map(TrafficTarget::version).distinct().count();
        return when(
                versions < spec.traffic().size(),
                "found a version more than once; add its percentages up in one entry");
    }

    private static Optional<String> idle(FunctionSpec spec, Findings findings) {
        return when(
                spec.keepWarm().policy() == WarmPolicy.Fixed && !findings.isGiven("spec.keepWarm.idleTimeout"),
                "missing; policy Fixed keeps a replica for exactly that long, write idleTimeout: 10m or another duration");
    }
}
