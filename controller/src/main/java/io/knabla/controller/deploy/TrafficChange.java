package io.knabla.controller.deploy;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits traffic between versions and rolls it back to an earlier one: in the function's resource, or in the catalog
 * when there is none.
 */
@Singleton
public final class TrafficChange {
    /** Result of a traffic change. */
    public sealed interface Outcome {
        record Done(FunctionRecord record) implements Outcome {}

        record Unknown() implements Outcome {}

        record Refused(List<Fault> faults) implements Outcome {}
    }

    private static final class Gone extends RuntimeException {}

    /** Of a label in a host name. */
    private static final int LONGEST_NAME = 63;

    private final Catalog catalog;
    private final FunctionResources resources;

    public TrafficChange(Catalog catalog, FunctionResources resources) {
        this.catalog = catalog;
        this.resources = resources;
    }

    /** Sets the split; empty sends everything to the newest version, also after the next deploy. */
    public Outcome split(FunctionId id, List<TrafficTarget> traffic) {
        Collection<FunctionRecord> functions = catalog.list();
        return change(id, record -> checked(record, traffic, functions));
    }

    /**
     * Sends everything to version {@code to}. Without {@code to}, takes the traffic away from the newest version that
     * has some: everything goes to the next older version with traffic, else to the previous version.
     */
    public Outcome rollback(FunctionId id, OptionalInt to) {
        return change(id, record -> {
            int version = to.isPresent() ? to.getAsInt() : previous(record);
            if (record.version(version).isEmpty()) {
                check(List.of(new Fault("to", unknown(version, numbers(record)))));
            }
            return returned(record, version);
        });
    }

    /** Everything to one version; the others keep their tags. */
    private static List<TrafficTarget> returned(FunctionRecord record, int version) {
        return Stream.concat(
                        Stream.of(new TrafficTarget(version, 100)),
                        record.traffic().stream()
                                .filter(target -> target.tag().isPresent())
                                .map(target -> target.withPercent(0)))
                .toList();
    }

    /** Copies the split of a resource to the catalog; with resources, the only writer of traffic there. */
    public Outcome syncToCatalog(FunctionId id, List<TrafficTarget> traffic) {
        Collection<FunctionRecord> functions = catalog.list();
        return answered(() -> record(id, record -> checked(record, traffic, functions)));
    }

    private interface SplitChange {
        List<TrafficTarget> from(FunctionRecord record);
    }

    /** Writes to one place only: a second writer would briefly revert what the first has just written. */
    private Outcome change(FunctionId id, SplitChange change) {
        return answered(() -> {
            Optional<List<TrafficTarget>> wished = resources.changeTraffic(
                    id, before -> change.from(readFromStore(id).withTraffic(before)));
            return wished.isPresent() ? readFromStore(id).withTraffic(wished.get()) : record(id, change);
        });
    }

    private FunctionRecord readFromStore(FunctionId id) {
        return catalog.readFromStore(id).orElseThrow(Gone::new);
    }

    private FunctionRecord record(FunctionId id, SplitChange change) {
        return catalog.update(id, current -> {
            FunctionRecord record = current.orElseThrow(Gone::new);
            return record.withTraffic(change.from(record));
        });
    }

    private static Outcome answered(Supplier<FunctionRecord> change) {
        try {
            return new Outcome.Done(change.get());
        } catch (Gone gone) {
            return new Outcome.Unknown();
        } catch (FaultsException invalid) {
            return new Outcome.Refused(invalid.faults());
        }
    }

    private static List<TrafficTarget> checked(
            FunctionRecord record, List<TrafficTarget> traffic, Collection<FunctionRecord> functions) {
        Optional<String> served = record.latest().spec().modelInterface().servedName();
        check(faults("traffic", traffic, numbers(record), record.id().name()));
        check(CalledNames.ofTags("traffic", traffic, record.id(), served, functions));
        return traffic;
    }

    private static int previous(FunctionRecord record) {
        var serving = record.effectiveTraffic().stream()
                .filter(target -> target.percent() > 0)
                .map(VersionShare::version)
                .collect(Collectors.toCollection(TreeSet::new));
        int newest = serving.last();
        return Optional.ofNullable(serving.lower(newest))
                .or(() -> Optional.ofNullable(new TreeSet<>(numbers(record)).lower(newest)))
                .orElseThrow(() -> new FaultsException(List.of(new Fault(
                        "to",
                        "there is no version before %d to go back to; there are %s"
                                .formatted(newest, numbers(record))))));
    }

    static List<Integer> numbers(FunctionRecord record) {
        return record.versions().stream().map(Version::number).toList();
    }

    static void check(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new FaultsException(faults);
        }
    }

    private static String unknown(int version, List<Integer> versions) {
        return "there is no version %d; there are %s".formatted(version, versions);
    }

    /**
     * Everything that is wrong with a split.
     *
     * @param versions those that there are
     * @param name the function's
     */
    static List<Fault> faults(String path, List<TrafficTarget> traffic, List<Integer> versions, String name) {
        List<Fault> faults = new ArrayList<>();
        Set<TrafficTarget> named = new HashSet<>();
        long sum = 0;
        for (int i = 0; i < traffic.size(); i++) {
            TrafficTarget target = traffic.get(i);
            String at = path + "[" + i + "]";
            target.version()
                    .filter(version -> !versions.contains(version))
                    .ifPresent(version -> faults.add(new Fault(at + ".version", unknown(version, versions))));
            if (!named.add(target.withPercent(0))) {
                faults.add(new Fault(
                        at + ".version",
                        target.version().map(version -> "version " + version).orElse("latest")
                                + " is named twice; name it once"));
            }
            target.tag()
                    .filter(tag -> tag.length() + 1 + name.length() > LONGEST_NAME)
                    .ifPresent(tag -> faults.add(new Fault(
                            at + ".tag",
                            "makes the name %s-%s of its URL longer than %d letters; choose a shorter one"
                                    .formatted(tag, name, LONGEST_NAME))));
            if (target.percent() < 0 || target.percent() > 100) {
                faults.add(new Fault(at + ".percent", "was %d, allowed is 0 to 100".formatted(target.percent())));
            }
            sum += target.percent();
        }
        if (!traffic.isEmpty() && sum != 100) {
            faults.add(new Fault(path, "the percentages add up to %d, not to 100".formatted(sum)));
        }
        return faults;
    }
}
