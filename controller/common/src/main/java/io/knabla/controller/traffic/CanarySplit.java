package io.knabla.controller.traffic;

import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Computes the traffic split of a deploy whose new version gets only a part of the requests, or none. */
public final class CanarySplit {
    private CanarySplit() {}

    /**
     * The new version's share goes to {@code latest: true}, which is the newest version that is ready: until the new
     * one is, no request waits for it. The others keep the rest in their present proportion.
     *
     * @param present the split in force, by versions' numbers
     * @param percent the new version's share
     * @param tag of the new version; taken from the version that has it now
     */
    public static List<TrafficTarget> of(List<TrafficTarget> present, int percent, String tag) {
        Map<TrafficTarget, Integer> others = new LinkedHashMap<>();
        for (TrafficTarget target : present) {
            Optional<String> kept = target.tag().filter(own -> !own.equals(tag));
            others.merge(new TrafficTarget(target.version(), false, 0, kept), target.percent(), Integer::sum);
        }
        List<TrafficTarget> targets = List.copyOf(others.keySet());
        List<Integer> parts = Percentages.share(100 - percent, List.copyOf(others.values()));
        return Stream.concat(
                        IntStream.range(0, targets.size())
                                .mapToObj(i -> targets.get(i).withPercent(parts.get(i)))
                                .filter(target ->
                                        target.percent() > 0 || target.tag().isPresent()),
                        Stream.of(TrafficTarget.latest(percent).tagged(tag)))
                .toList();
    }
}
