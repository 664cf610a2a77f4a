package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.unit.Digest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a deploy makes of a function: a pure answer. The file says the whole wish, so a new version also brings the
 * file's traffic: none there means everything to the new version. Traffic alone, or {@link ScaleBounds} alone, change
 * what is there.
 */
record NextVersion(FunctionResource resource, Digest unit, Digest model, Instant now) {

    /** @param added whether there is a new version */
    record Answer(FunctionRecord record, boolean added, List<String> warnings) {
        /** The same with requests going where they went, for somebody else to say where they shall go. */
        Answer withTrafficOf(Optional<FunctionRecord> before) {
            List<TrafficTarget> kept = before.map(
                            it -> added && it.traffic().isEmpty() ? it.effectiveTraffic() : it.traffic())
                    .orElse(List.of());
            return new Answer(record.withTraffic(kept), added, warnings);
        }
    }

    Answer after(Optional<FunctionRecord> current) {
        List<Fault> faults = trafficFaults(current, resource.spec());
        if (!faults.isEmpty()) {
            throw new FaultsException(faults);
        }
        return current.map(this::after).orElseGet(this::first);
    }

    private Answer first() {
        FunctionId id = new FunctionId(resource.namespace(), resource.name());
        return new Answer(
                new FunctionRecord(id, List.of(version(1)), resource.spec().traffic(), ""), true, List.of());
    }

    private Answer after(FunctionRecord current) {
        return same(current.latest()) ? unchanged(current) : next(current);
    }

    private boolean same(Version newest) {
        return newest.unit().equals(unit) && ScaleBounds.sameVersion(newest.spec(), resource.spec());
    }

    /** No new version; what is no part of a version follows the file all the same. */
    private Answer unchanged(FunctionRecord current) {
        List<String> told = new ArrayList<>();
        List<Version> versions = rescaled(current, told);
        List<TrafficTarget> wanted = resource.spec().traffic();
        if (!wanted.isEmpty() && !wanted.equals(current.traffic())) {
            told.add("traffic is now " + text(wanted) + ", as the file says");
            return new Answer(current.with(versions, wanted), false, told);
        }
        boolean elsewhere = wanted.isEmpty()
                && current.effectiveTraffic().stream()
                        .noneMatch(t -> t.version() == current.latest().number());
        if (elsewhere) {
            told.add("traffic stays at %s, the newest version %d has none; change it with 'knabla traffic'"
                    .formatted(text(current.traffic()), current.latest().number()));
        }
        return new Answer(current.with(versions, current.traffic()), false, told);
    }

    private List<Version> rescaled(FunctionRecord current, List<String> told) {
        Version newest = current.latest();
        ScaleBounds before = ScaleBounds.of(newest.spec());
        ScaleBounds wanted = ScaleBounds.of(resource.spec());
        if (wanted.equals(before)) {
            return current.versions();
        }
        told.add("version %d goes on with %s; that makes no new version, and no replica is restarted"
                .formatted(newest.number(), wanted.changed(before)));
        List<Version> versions = new ArrayList<>(current.versions());
        versions.set(versions.size() - 1, wanted.in(newest));
        return versions;
    }

    private Answer next(FunctionRecord current) {
        List<Version> versions = new ArrayList<>(current.versions());
        versions.add(version(current.latest().number() + 1));
        List<TrafficTarget> wanted = resource.spec().traffic();
        boolean splitEnds = wanted.isEmpty() && !current.traffic().isEmpty();
        return new Answer(
                current.with(versions, wanted),
                true,
                splitEnds
                        ? List.of("traffic was %s; all of it goes to version %d now, as the file names no other"
                                .formatted(
                                        text(current.traffic()),
                                        versions.getLast().number()))
                        : List.of());
    }

    private Version version(int number) {
        return new Version(number, resource.spec(), unit, model, now);
    }

    /** Traffic may name what is there and the version that this deploy would add. */
    static List<Fault> trafficFaults(Optional<FunctionRecord> current, FunctionSpec spec) {
        List<Integer> there = new ArrayList<>(current.stream()
                .flatMap(record -> record.versions().stream())
                .map(Version::number)
                .toList());
        there.add(there.isEmpty() ? 1 : there.getLast() + 1);
        return TrafficChange.faults("spec.traffic", spec.traffic(), there);
    }

    static String text(List<TrafficTarget> traffic) {
        return traffic.stream()
                .map(target -> target.version() + "=" + target.percent())
                .collect(Collectors.joining(" "));
    }
}
