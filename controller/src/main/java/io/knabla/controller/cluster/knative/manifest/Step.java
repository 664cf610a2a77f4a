package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.knative.manifest.Observed.Health;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Computes one {@link Rollout} from the catalog's record and the observed objects; one instance per rollout. */
final class Step {
    private final FunctionRecord record;
    private final OwnerReference owner;
    private final Observed observed;
    private final Terrain terrain;
    private final PodSettings settings;
    private final Map<Integer, Size> sizes;
    private final boolean mayReplace;
    private final List<Seen> seen;
    private final Set<String> served;
    private final Map<Integer, SlotPlan> plans = new HashMap<>();

    Step(
            FunctionRecord record,
            OwnerReference owner,
            Observed observed,
            Terrain terrain,
            PodSettings settings,
            Map<Integer, Size> sizes,
            boolean mayReplace) {
        this.record = record;
        this.owner = owner;
        this.observed = observed;
        this.terrain = terrain;
        this.settings = settings;
        this.sizes = sizes;
        this.mayReplace = mayReplace;
        seen = observed.seen();
        served = observed.served();
        record.versions()
                .forEach(version -> plans.put(version.number(), SlotPlan.of(version.spec(), terrain.supply())));
    }

    Rollout next() {
        List<TrafficTarget> wish = wish();
        List<Version> needed = record.versions().stream()
                .filter(version -> isNeeded(version, wish))
                .toList();
        List<Blocker> blockers =
                needed.stream().flatMap(this::blockers).distinct().toList();
        List<Wanted> wanted = needed.stream().flatMap(this::wanted).toList();
        List<Leg> legs = wanted.stream().map(this::leg).toList();
        Routing routing = Routing.decide(wish, legs);
        // The Route exists from the start: it gives the function its URL.
        Routing shown =
                routing.percents().isEmpty() && observed.route().isEmpty() ? Routing.hoped(wish, legs) : routing;

        var superfluous = new Superfluous(record, observed, wanted);
        List<HasMetadata> apply = new ArrayList<>(StoreObjects.of(record.id(), owner, settings));
        apply.addAll(configurations(wanted, routing));
        route(shown).ifPresent(apply::add);
        return new Rollout(
                apply,
                bounds(routing),
                superfluous.revisions(shown),
                superfluous.configurations(),
                plans.get(record.latest().number()),
                blockers,
                newest(Seen::ready),
                wanted.stream().anyMatch(this::isUndecided),
                routing.reason());
    }

    private Optional<Integer> newest(Predicate<Seen> holds) {
        return record.versions().reversed().stream()
                .map(Version::number)
                .filter(number -> isAny(number, holds))
                .findFirst();
    }

    private boolean isAny(int version, Predicate<Seen> holds) {
        Set<Slot> slots = plans.get(version).slots();
        return seen.stream()
                .filter(s -> s.version() == version && slots.contains(s.slot()))
                .anyMatch(holds);
    }

    private List<TrafficTarget> wish() {
        if (!record.traffic().isEmpty()) {
            return record.traffic();
        }
        int newest = newest(s -> s.ready() || served.contains(s.name()))
                .orElse(record.latest().number());
        return List.of(new TrafficTarget(newest, 100));
    }

    private boolean isNeeded(Version version, List<TrafficTarget> wish) {
        return version.equals(record.latest())
                || wish.stream().anyMatch(t -> t.version() == version.number() && t.percent() > 0);
    }

    private Stream<Blocker> blockers(Version version) {
        return plans.get(version.number()).shares().stream().flatMap(share -> blockers(version, share).stream());
    }

    private List<Blocker> blockers(Version version, Share share) {
        return Blocker.of(version.spec(), share.slot(), terrain);
    }

    private Stream<Wanted> wanted(Version version) {
        Size size = sizes.getOrDefault(version.number(), Size.of(version.spec(), Optional.empty()));
        var pods = new PodTemplate(settings, terrain.features(), terrain.limits());
        return plans.get(version.number()).shares().stream()
                .filter(share -> blockers(version, share).isEmpty())
                .map(share -> new Wanted(
                        version,
                        share,
                        Templates.template(
                                record.id(),
                                version.number(),
                                share.slot(),
                                pods.of(record.id(), version, share.slot(), size))));
    }

    private Leg leg(Wanted wanted) {
        boolean rehearses = rehearses(wanted.share());
        return new Leg(
                wanted.version().number(),
                wanted.share(),
                wanted.name(),
                rehearses ? Optional.empty() : best(wanted, Seen::ready),
                rehearses ? Optional.empty() : best(wanted, s -> served.contains(s.name())));
    }

    /** Simulated pods are ready before real ones and must never get requests. */
    private boolean rehearses(Share share) {
        return share.percent() == 0 && terrain.supply().simulated().contains(share.slot());
    }

    /** The desired revision if the predicate holds for it, else the newest other one of its version and slot. */
    private Optional<String> best(Wanted wanted, Predicate<Seen> holds) {
        List<String> names = seen.stream()
                .filter(wanted::isServedBy)
                .filter(holds)
                .map(Seen::name)
                .toList();
        return names.contains(wanted.name())
                ? Optional.of(wanted.name())
                : names.stream().findFirst();
    }

    /** A Configuration creates one revision at a time, so missing revisions are created one after another. */
    private List<Configuration> configurations(List<Wanted> wanted, Routing routing) {
        Map<Slot, List<Wanted>> bySlot = wanted.stream()
                .collect(Collectors.groupingBy(w -> w.share().slot(), LinkedHashMap::new, Collectors.toList()));
        List<Configuration> changed = new ArrayList<>();
        bySlot.values().forEach(turn -> configuration(turn, routing).ifPresent(changed::add));
        return changed;
    }

    /** Another revision of the version is ready, and this one is neither ready nor given up. */
    private boolean isUndecided(Wanted wanted) {
        return replaces(wanted) && revision(wanted).map(Seen::health).orElse(Health.Other) == Health.Other;
    }

    private boolean replaces(Wanted wanted) {
        return seen.stream()
                .filter(wanted::isServedBy)
                .anyMatch(s -> s.ready() && !s.name().equals(wanted.name()));
    }

    private Optional<Seen> revision(Wanted wanted) {
        return seen.stream().filter(s -> s.name().equals(wanted.name())).findFirst();
    }

    private Optional<Configuration> configuration(List<Wanted> slot, Routing routing) {
        return slot.stream()
                .sorted(Comparator.comparing(w -> w.version().number()))
                .filter(w -> revision(w).isEmpty())
                .filter(w -> mayReplace || !replaces(w))
                .findFirst()
                .or(() -> Optional.of(slot.getLast()).filter(w -> revision(w).isPresent()))
                .flatMap(turn -> showing(turn, routing));
    }

    private Optional<Configuration> showing(Wanted turn, Routing routing) {
        String name = Names.configuration(record.id().name(), turn.share().slot());
        boolean shown = observed.configuration(name)
                .map(Observed::shown)
                .filter(turn.name()::equals)
                .isPresent();
        return shown
                ? Optional.empty()
                : Optional.of(Templates.configuration(
                        record.id(),
                        turn.share().slot(),
                        owner,
                        turn.template(),
                        bounds(turn.version(), turn.share(), routing)));
    }

    /** A slot is alone if it is the only one of its version with traffic. */
    private Bounds bounds(Version version, Share share, Routing routing) {
        Set<Slot> taking = seen.stream()
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
                    .flatMap(version -> share(revision).map(share -> bounds(version, share, routing)))
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
}
