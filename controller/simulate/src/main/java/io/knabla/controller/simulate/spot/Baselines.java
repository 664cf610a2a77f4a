package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.baseline.UniformProgress;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.spot.policy.Adaptive;
import io.knabla.controller.spot.policy.OnDemandOnly;
import io.knabla.controller.spot.policy.Regions;
import io.knabla.controller.spot.policy.SpotHedge;
import io.knabla.controller.spot.policy.SpotOnly;
import io.knabla.controller.spot.policy.SpotPolicy;
import io.knabla.controller.spot.policy.StaticMix;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Policies by the names that people write. */
public final class Baselines {
    /** Those that every comparison shows. */
    public static final List<String> ALWAYS = List.of(
            "OnDemandOnly",
            "SpotOnly",
            "SpotOnly:EvenSpread",
            "StaticMix",
            "StaticMix:Fallback",
            "SpotHedge:0",
            "SpotHedge",
            "SpotHedge:2",
            "Omniscient");

    /** The policies, and their variants after a colon. */
    public static final List<String> NAMES = List.of(
            "OnDemandOnly",
            "SpotOnly",
            "SpotOnly:EvenSpread",
            "StaticMix",
            "StaticMix:N",
            "StaticMix:Fallback",
            "SpotHedge",
            "SpotHedge:N",
            "UniformProgress",
            "Omniscient",
            "Adaptive",
            "Adaptive:N");

    /** Those that a function can choose, with or without a number. */
    private static final Set<String> OF_FUNCTIONS =
            Set.of("OnDemandOnly", "SpotOnly", "StaticMix", "SpotHedge", "Adaptive");

    private Baselines() {}

    /**
     * The policy of a name, such as {@code SpotHedge:2}.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public static SpotPolicy of(String name, Scenario scenario) {
        String[] parts = name.split(":", 2);
        String variant = parts.length == 2 ? parts[1] : "";
        return switch (parts[0]) {
            case "OnDemandOnly" -> plain(name, variant, new OnDemandOnly());
            case "SpotOnly" ->
                variant.equals("EvenSpread")
                        ? SpotOnly.evenSpread(evenSpread(scenario.trace()))
                        : plain(name, variant, SpotOnly.roundRobin());
            case "StaticMix" ->
                variant.equals("Fallback") ? StaticMix.withFallback() : number(name, variant, StaticMix::of);
            case "SpotHedge" -> number(name, variant, SpotHedge::of);
            case "UniformProgress" -> plain(name, variant, UniformProgress.start());
            case "Omniscient" -> plain(name, variant, ShortestPath.policy(scenario));
            case "Adaptive" -> number(name, variant, Adaptive::spreadOver);
            default -> throw unknown(name);
        };
    }

    /**
     * Whether a policy can be compared on a platform: on one that carries plans out, those that a function can name.
     */
    public static boolean runsOn(SimulatedPlatform platform, String name) {
        return platform == SimulatedPlatform.None || OF_FUNCTIONS.contains(name.replaceFirst(":\\d{1,3}$", ""));
    }

    /** Whether a policy has this name. */
    public static boolean isKnown(String name) {
        return NAMES.contains(name.replaceFirst(":\\d{1,3}$", ":N"));
    }

    private static SpotPolicy plain(String name, String variant, SpotPolicy policy) {
        if (!variant.isEmpty()) {
            throw unknown(name);
        }
        return policy;
    }

    /** One if no number is given. */
    private static SpotPolicy number(String name, String variant, Function<Integer, SpotPolicy> policy) {
        if (!variant.matches("\\d{0,3}")) {
            throw unknown(name);
        }
        return policy.apply(variant.isEmpty() ? 1 : Integer.parseInt(variant));
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException(
                "'%s' is no spot policy; known are %s".formatted(name, String.join(", ", NAMES)));
    }

    /** The best zone of each region, by the whole trace: the kindest reading of a spread that never moves. */
    private static List<String> evenSpread(AvailabilityTrace trace) {
        Map<String, Integer> best = new TreeMap<>();
        IntStream.range(0, trace.zones().size())
                .boxed()
                .sorted(Comparator.comparingDouble(trace::availability))
                .forEach(zone -> best.put(Regions.of(trace.zones().get(zone)), zone));
        return best.values().stream().map(trace.zones()::get).toList();
    }
}
