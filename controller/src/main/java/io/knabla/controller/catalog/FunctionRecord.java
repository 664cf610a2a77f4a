package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import java.util.Optional;

/**
 * One function in the catalog, stored as a single document: a deploy, a traffic change or a rollback is one conditional
 * write, and readers never see half of it.
 *
 * @param traffic split; empty sends everything to the newest version
 * @param etag of the document that it was read from
 * @param owner uid of the Function resource that it belongs to; a later Function of the same name has another uid;
 *     empty without a cluster
 * @param forecast the newest one; empty if nobody stated a rate
 */
public record FunctionRecord(
        FunctionId id,
        List<Version> versions,
        List<TrafficTarget> traffic,
        String etag,
        Optional<String> owner,
        Optional<LoadForecast> forecast) {
    public FunctionRecord {
        versions = List.copyOf(versions);
        traffic = List.copyOf(traffic);
    }

    public FunctionRecord(FunctionId id, List<Version> versions, List<TrafficTarget> traffic, String etag) {
        this(id, versions, traffic, etag, Optional.empty(), Optional.empty());
    }

    /** The same function with these versions and this traffic. */
    public FunctionRecord with(List<Version> changed, List<TrafficTarget> split) {
        return new FunctionRecord(id, changed, split, etag, owner, forecast);
    }

    public FunctionRecord ownedBy(String function) {
        return new FunctionRecord(id, versions, traffic, etag, Optional.of(function), forecast);
    }

    public FunctionRecord with(LoadForecast newest) {
        return new FunctionRecord(id, versions, traffic, etag, owner, Optional.of(newest));
    }

    FunctionRecord writtenAs(String document) {
        return new FunctionRecord(id, versions, traffic, document, owner, forecast);
    }

    public Version latest() {
        return versions.getLast();
    }

    public Optional<Version> version(int number) {
        return versions.stream().filter(version -> version.number() == number).findFirst();
    }

    public FunctionRecord withTraffic(List<TrafficTarget> other) {
        return with(versions, other);
    }

    /** The split in force, once the newest version is ready. */
    public List<VersionShare> effectiveTraffic() {
        return effectiveTraffic(latest().number());
    }

    /**
     * The split in force; everything to the newest ready version if none is set.
     *
     * @param newestReady the version that {@code latest: true} stands for
     */
    public List<VersionShare> effectiveTraffic(int newestReady) {
        List<TrafficTarget> split = traffic.isEmpty() ? List.of(TrafficTarget.latest(100)) : traffic;
        return split.stream()
                .map(target -> VersionShare.of(target, newestReady))
                .toList();
    }

    /** The split in force, which no later version changes: {@code latest: true} becomes the newest version. */
    public List<TrafficTarget> pinnedTraffic() {
        return followsLatest() ? VersionShare.pinned(effectiveTraffic()) : traffic;
    }

    /** Whether a part of the requests goes to whichever version is the newest. */
    public boolean followsLatest() {
        return traffic.isEmpty() || traffic.stream().anyMatch(TrafficTarget::latest);
    }
}
