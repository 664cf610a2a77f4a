package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import java.util.Optional;

/**
 * One function as the catalog keeps it: a single document, so that a deploy, a traffic change or a rollback is one
 * conditional write and nobody ever sees half of one.
 *
 * @param traffic empty = everything to the newest version
 * @param etag of the document this was read from
 * @param owner the Function that this was made for, where a cluster keeps Functions: one of the same name may be
 *     another one
 */
public record FunctionRecord(
        FunctionId id, List<Version> versions, List<TrafficTarget> traffic, String etag, Optional<String> owner) {
    public FunctionRecord {
        versions = List.copyOf(versions);
        traffic = List.copyOf(traffic);
    }

    public FunctionRecord(FunctionId id, List<Version> versions, List<TrafficTarget> traffic, String etag) {
        this(id, versions, traffic, etag, Optional.empty());
    }

    /** The same function with these versions and this traffic. */
    public FunctionRecord with(List<Version> changed, List<TrafficTarget> split) {
        return new FunctionRecord(id, changed, split, etag, owner);
    }

    public FunctionRecord ownedBy(String function) {
        return new FunctionRecord(id, versions, traffic, etag, Optional.of(function));
    }

    FunctionRecord writtenAs(String document) {
        return new FunctionRecord(id, versions, traffic, document, owner);
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

    /** The split in force; the newest version has everything where none was set. */
    public List<TrafficTarget> effectiveTraffic() {
        return traffic.isEmpty() ? List.of(new TrafficTarget(latest().number(), 100)) : traffic;
    }
}
