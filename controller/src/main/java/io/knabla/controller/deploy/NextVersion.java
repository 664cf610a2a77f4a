package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.catalog.VersionShare;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Computes the record after a deploy, without side effects. The file describes the whole desired state: a new version
 * also takes over the file's traffic, and no traffic there sends everything to the new version. A change of traffic or
 * {@link ScaleBounds} alone updates the record without a new version.
 */
record NextVersion(PlacedResource placed, Digest unit, Digest model, Instant now) {
    FunctionResource resource() {
        return placed.resource();
    }

    /** @param added whether the record has a new version */
    record Answer(FunctionRecord record, boolean added, List<String> warnings) {
        /** The same with the previous traffic split, for platforms where a resource defines it. */
        Answer withTrafficOf(Optional<FunctionRecord> before) {
            List<TrafficTarget> kept =
                    before.map(it -> added ? it.pinnedTraffic() : it.traffic()).orElse(List.of());
            return new Answer(record.withTraffic(kept), added, warnings);
        }
    }

    Answer after(Optional<FunctionRecord> current) {
        TrafficChange.check(trafficFaults(current, resource()));
        return current.map(this::after).orElseGet(this::first);
    }

    private Answer first() {
        FunctionId id = new FunctionId(resource().namespace(), resource().name());
        return new Answer(
                new FunctionRecord(id, List.of(version(1)), resource().spec().traffic(), ""), true, List.of());
    }

    private Answer after(FunctionRecord current) {
        return same(current.latest()) ? unchanged(current) : next(current);
    }

    private boolean same(Version newest) {
        return newest.unit().equals(unit)
                && ScaleBounds.sameVersion(newest.spec(), resource().spec());
    }

    /** Adds no version, but takes over traffic and scaling bounds, which are not part of a version. */
    private Answer unchanged(FunctionRecord current) {
        List<TrafficTarget> wanted = resource().spec().traffic();
        TrafficChange.check(trafficFaults(TrafficChange.numbers(current), resource()));
        List<String> told = new ArrayList<>();
        List<Version> versions = rescaled(current, told);
        if (!wanted.isEmpty() && !wanted.equals(current.traffic())) {
            told.add("traffic is now " + text(wanted) + ", as the file says");
            return new Answer(current.with(versions, wanted), false, told);
        }
        boolean elsewhere = wanted.isEmpty()
                && current.effectiveTraffic().stream()
                        .noneMatch(t -> t.percent() > 0
                                && t.version() == current.latest().number());
        if (elsewhere) {
            int newest = current.latest().number();
            told.add(
                    "traffic stays at %s: version %d answers, and the newest version %d gets no requests; send it all of them with ./knabla traffic %s %d=100 -n %s"
                            .formatted(
                                    text(current.traffic()),
                                    answering(current),
                                    newest,
                                    current.id().name(),
                                    newest,
                                    current.id().namespace()));
        }
        return new Answer(current.with(versions, current.traffic()), false, told);
    }

    /** The version with most of the traffic. */
    private static int answering(FunctionRecord record) {
        return record.effectiveTraffic().stream()
                .max(Comparator.comparing(VersionShare::percent))
                .orElseThrow()
                .version();
    }

    private List<Version> rescaled(FunctionRecord current, List<String> told) {
        Version newest = current.latest();
        ScaleBounds before = ScaleBounds.of(newest.spec());
        ScaleBounds wanted = ScaleBounds.of(resource().spec());
        if (wanted.equals(before)) {
            return current.versions();
        }
        told.add("version %d now has %s; this creates no new version, and no replica is restarted"
                .formatted(newest.number(), wanted.describeChanges(before)));
        List<Version> versions = new ArrayList<>(current.versions());
        versions.set(versions.size() - 1, wanted.applyTo(newest));
        return versions;
    }

    private Answer next(FunctionRecord current) {
        List<Version> versions = new ArrayList<>(current.versions());
        versions.add(version(current.latest().number() + 1));
        List<TrafficTarget> wanted = resource().spec().traffic();
        boolean splitEnds = wanted.isEmpty() && !current.traffic().isEmpty();
        return new Answer(
                current.with(versions, wanted),
                true,
                splitEnds
                        ? List.of("traffic was %s; all of it now goes to version %d, because the file sets no traffic"
                                .formatted(
                                        text(current.traffic()),
                                        versions.getLast().number()))
                        : List.of());
    }

    private Version version(int number) {
        return new Version(number, resource().spec(), unit, model, now, placed.pool());
    }

    /** Traffic may name existing versions and the one that this deploy would add. */
    static List<Fault> trafficFaults(Optional<FunctionRecord> current, FunctionResource resource) {
        List<Integer> there =
                new ArrayList<>(current.map(TrafficChange::numbers).orElse(List.of()));
        there.add(there.isEmpty() ? 1 : there.getLast() + 1);
        return trafficFaults(there, resource);
    }

    private static List<Fault> trafficFaults(List<Integer> versions, FunctionResource resource) {
        return TrafficChange.faults("spec.traffic", resource.spec().traffic(), versions, resource.name());
    }

    static String text(List<TrafficTarget> traffic) {
        return traffic.stream().map(TrafficTarget::toString).collect(Collectors.joining(" "));
    }
}
