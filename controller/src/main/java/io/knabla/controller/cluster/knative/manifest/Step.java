package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.RevisionTemplateSpec;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.knative.manifest.Observed.Seen;
import io.knabla.controller.cluster.knative.manifest.Routing.Leg;
import io.knabla.controller.cluster.knative.manifest.SlotPlan.Share;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Works out one {@link Rollout}; used once. */
final class Step {
    private final FunctionRecord record;
    private final OwnerReference owner;
    private final Observed observed;
    private final Terrain terrain;
    private final PodSettings settings;
    private final Map<Integer, Size> sizes;
    private final List<Seen> seen;
    private final Map<Integer, SlotPlan> plans = new HashMap<>();

    Step(
            FunctionRecord record,
            OwnerReference owner,
            Observed observed,
            Terrain terrain,
            PodSettings settings,
            Map<Integer, Size> sizes) {
        this.record = record;
        this.owner = owner;
        this.observed = observed;
        this.terrain = terrain;
        this.settings = settings;
        this.sizes = sizes;
        seen = observed.seen();
        record.versions()
                .forEach(
                        version ->
                                plans.put(
                                        version.number(),
                                        SlotPlan.of(version.spec(), terrain.supply())));
    }

    /** A version in a slot with what it should be there; none of these is blocked. */
    private record Wanted(Version version, Share share, RevisionTemplateSpec template) {
        String name() {
            return template.getMetadata().getName();
        }
    }

    Rollout next() {
        Optional<Integer> readyVersion =
                record.versions().reversed().stream()
                        .map(Version::number)
                        .filter(this::isReady)
                        .findFirst();
        List<TrafficTarget> wish = wish(readyVersion);
        List<Version> needed =
                record.versions().stream().filter(version -> isNeeded(version, wish)).toList();
        List<Blocker> blockers = needed.stream().flatMap(this::blockers).distinct().toList();
        List<Wanted> wanted = needed.stream().flatMap(this::wanted).toList();
        List<Leg> legs = wanted.stream().map(this::leg).toList();
        Routing routing = Routing.decide(wish, legs);
        Routing shown =
                routing.percents().isEmpty() && observed.route().isEmpty()
                        ? Routing.hoped(wish, legs)
                        : routing;

        List<HasMetadata> apply = new ArrayList<>(StoreObjects.of(record.id(), owner, settings));
        apply.addAll(configurations(wanted, routing));
        route(shown).ifPresent(apply::add);
        return new Rollout(
                apply,
                bounds(routing),
                superfluousRevisions(wanted, shown),
                superfluousConfigurations(),
                plans.get(record.latest().number()),
                blockers,
                readyVersion,
                routing.reason());
    }

    private boolean isReady(int version) {
        Set<Slot> slots = plans.get(version).slots();
        return seen.stream()
                .anyMatch(s -> s.version() == version && s.ready() && slots.contains(s.slot()));
    }

    private List<TrafficTarget> wish(Optional<Integer> readyVersion) {
        return record.traffic().isEmpty()
                ? List.of(new TrafficTarget(readyVersion.orElse(record.latest().number()), 100))
                : record.traffic();
    }

    private boolean isNeeded(Version version, List<TrafficTarget> wish) {
        return version.equals(record.latest())
                || wish.stream().anyMatch(t -> t.version() == version.number() && t.percent() > 0);
    }

    private Stream<Blocker> blockers(Version version) {
        return plans.get(version.number()).shares().stream()
                .flatMap(share -> blockers(version, share).stream());
    }

    private List<Blocker> blockers(Version version, Share share) {
        return Blocker.of(record.id().name(), version.spec(), share.slot(), terrain);
    }

    private Stream<Wanted> wanted(Version version) {
        Size size = sizes.getOrDefault(version.number(), Size.of(version.spec(), Optional.empty()));
        var pods = new PodTemplate(settings, terrain.features(), terrain.limits());
        return plans.get(version.number()).shares().stream()
                .filter(share -> blockers(version, share).isEmpty())
                .map(
                        share ->
                                new Wanted(
                                        version,
                                        share,
                                        Templates.template(
                                                record.id(),
                                                version.number(),
                                                share.slot(),
                                                pods.of(
                                                        record.id(),
                                                        version,
                                                        share.slot(),
                                                        size))));
    }

    private Leg leg(Wanted wanted) {
        List<Seen> ready =
                seen.stream()
                        .filter(s -> s.version() == wanted.version().number())
                        .filter(s -> s.slot().equals(wanted.share().slot()) && s.ready())
                        .toList();
        Optional<String> best =
                ready.stream()
                        .map(Seen::name)
                        .filter(wanted.name()::equals)
                        .findFirst()
                        .or(() -> ready.stream().map(Seen::name).findFirst());
        return new Leg(wanted.version().number(), wanted.share(), wanted.name(), best);
    }

    /** One Configuration makes one revision at a time, so those that are missing take turns. */
    private List<Configuration> configurations(List<Wanted> wanted, Routing routing) {
        Map<Slot, List<Wanted>> bySlot =
                wanted.stream()
                        .collect(
                                Collectors.groupingBy(
                                        w -> w.share().slot(),
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        List<Configuration> changed = new ArrayList<>();
        bySlot.values().forEach(turn -> configuration(turn, routing).ifPresent(changed::add));
        return changed;
    }

    private Optional<Configuration> configuration(List<Wanted> slot, Routing routing) {
        Set<String> there = seen.stream().map(Seen::name).collect(Collectors.toSet());
        Wanted turn =
                slot.stream()
                        .sorted(Comparator.comparing(w -> w.version().number()))
                        .filter(w -> !there.contains(w.name()))
                        .findFirst()
                        .orElse(slot.getLast());
        String name = Names.configuration(record.id().name(), turn.share().slot());
        boolean shown =
                observed.configuration(name)
                        .map(Observed::shown)
                        .filter(turn.name()::equals)
                        .isPresent();
        return shown
                ? Optional.empty()
                : Optional.of(
                        Templates.configuration(
                                record.id(),
                                turn.share().slot(),
                                owner,
                                turn.template(),
                                bounds(turn.version(), turn.share(), routing)));
    }

    /** A slot is alone when its version has traffic and no other slot of it has any. */
    private Bounds bounds(Version version, Share share, Routing routing) {
        Set<Slot> taking =
                seen.stream()
                        .filter(s -> s.version() == version.number())
                        .filter(s -> routing.percents().containsKey(s.name()))
                        .map(Seen::slot)
                        .collect(Collectors.toSet());
        return Bounds.of(version.spec(), share, taking.equals(Set.of(share.slot())));
    }

    private Map<String, Map<String, String>> bounds(Routing routing) {
        Map<String, Map<String, String>> changes = new TreeMap<>();
        for (Seen revision : seen) {
            record.version(revision.version())
                    .flatMap(
                            version ->
                                    share(revision).map(share -> bounds(version, share, routing)))
                    .map(bounds -> bounds.differing(revision.annotations()))
                    .filter(differing -> !differing.isEmpty())
                    .ifPresent(differing -> changes.put(revision.name(), differing));
        }
        return changes;
    }

    private Optional<Share> share(Seen revision) {
        return plans.get(revision.version()).shares().stream()
                .filter(share -> share.slot().equals(revision.slot()))
                .findFirst();
    }

    private Optional<Route> route(Routing routing) {
        return routing.percents().isEmpty() || Routes.says(observed.route(), routing.percents())
                ? Optional.empty()
                : Optional.of(Routes.of(record.id(), owner, routing.percents()));
    }

    private List<String> superfluousRevisions(List<Wanted> wanted, Routing routing) {
        Set<String> kept =
                Stream.of(
                                observed.routed().stream(),
                                routing.percents().keySet().stream(),
                                wanted.stream().map(Wanted::name),
                                // What a Configuration shows it would make again.
                                observed.configurations().stream().map(Observed::shown))
                        .flatMap(names -> names)
                        .collect(Collectors.toSet());
        return seen.stream()
                .filter(revision -> !kept.contains(revision.name()))
                .filter(revision -> isGone(revision) || isReplaced(revision, wanted))
                .map(Seen::name)
                .toList();
    }

    private boolean isGone(Seen revision) {
        return record.version(revision.version()).isEmpty();
    }

    private boolean isReplaced(Seen revision, List<Wanted> wanted) {
        return wanted.stream()
                .filter(w -> w.version().number() == revision.version())
                .filter(w -> w.share().slot().equals(revision.slot()))
                .anyMatch(w -> seen.stream().anyMatch(s -> s.ready() && s.name().equals(w.name())));
    }

    /** A slot that the cluster merely lacks for now keeps its Configuration, at no replica. */
    private List<String> superfluousConfigurations() {
        Set<Slot> possible =
                record.versions().stream()
                        .flatMap(version -> SlotPlan.possible(version.spec()).stream())
                        .collect(Collectors.toSet());
        Set<String> routed = observed.routed();
        return observed.configurations().stream()
                .filter(
                        configuration ->
                                Slot.of(configuration.getMetadata().getLabels())
                                        .filter(slot -> !possible.contains(slot))
                                        .filter(slot -> !takesRequests(slot, routed))
                                        .isPresent())
                .map(configuration -> configuration.getMetadata().getName())
                .toList();
    }

    private boolean takesRequests(Slot slot, Set<String> routed) {
        return seen.stream().anyMatch(s -> s.slot().equals(slot) && routed.contains(s.name()));
    }
}
