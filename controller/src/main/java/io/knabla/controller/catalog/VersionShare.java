package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A target of a traffic split with the version that it stands for now.
 *
 * @param latest whether it was written as {@code latest: true}
 */
public record VersionShare(int version, boolean latest, int percent, Optional<String> tag) {
    public VersionShare(int version, int percent) {
        this(version, false, percent, Optional.empty());
    }

    static VersionShare of(TrafficTarget target, int latest) {
        return new VersionShare(target.version().orElse(latest), target.latest(), target.percent(), target.tag());
    }

    /** Whether the version can be called by its share of the requests, or by its tag. */
    public boolean isReachable() {
        return percent > 0 || tag.isPresent();
    }

    /** The same split by numbers alone, which stays so when a newer version is ready. */
    static List<TrafficTarget> pinned(List<VersionShare> split) {
        Map<TrafficTarget, Integer> percents = new LinkedHashMap<>();
        split.forEach(share -> percents.merge(
                new TrafficTarget(Optional.of(share.version), false, 0, share.tag), share.percent, Integer::sum));
        return percents.entrySet().stream()
                .map(entry -> entry.getKey().withPercent(entry.getValue()))
                .toList();
    }
}
