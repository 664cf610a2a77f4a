package io.knabla.controller.knative.manifest;

import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.catalog.VersionShare;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.manifest.ObservedObjects.Health;
import io.knabla.controller.knative.manifest.ObservedObjects.RevisionState;
import io.knabla.controller.knative.manifest.PlacementPlan.Share;
import io.knabla.controller.knative.manifest.Routing.RouteCandidate;
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
final class RolloutPlanner {
    private final FunctionRecord record;
    private final OwnerReference owner;
    private final ObservedObjects observed;
    private final ClusterCapabilities capabilities;
    private final PodSettings settings;
    private final Map<Integer, ReplicaSize> sizes;
    private final boolean mayReplace;
    private final List<RevisionState> states;
    private final Set<String> served;
    private final Map<Integer, PlacementPlan> plans = new HashMap<>();

    RolloutPlanner(
            FunctionRecord record,
            OwnerReference owner,
            ObservedObjects observed,
            ClusterCapabilities capabilities,
            PodSettings settings,
            Map<Integer, ReplicaSize> sizes,
            boolean mayReplace) {
        this.record = record;
        this.owner = owner;
        this.observed = observed;
        this.capabilities = capabilities;
        this.settings = settings;
        this.sizes = sizes;
        this.mayReplace = mayReplace;
        states = observed.states();
        served = observed.served();
        record.versions()
                .forEach(version -> plans.put(
                        version.number(),
                        PlacementPlan.of(version.spec(), capabilities.capacity(), capabilities.split(version.number()))
                                .decidedBy(version.pool())));
    }

    Rollout next() {
        List<VersionShare> shares = desiredTraffic();
        List<Version> needed = record.versions().stream()
                .filter(version -> isNeeded(version, shares))
                .toList();
        List<Blocker> blockers =
                needed.stream().flatMap(this::blockers).distinct().toList();
        List<DesiredRevision> wanted =
                needed.stream().flatMap(this::desiredRevisions).toList();
        List<RouteCandidate> legs = wanted.stream().map(this::candidate).toList();
        Routing routing = Routing.decide(shares, legs);
        // The Route exists from the start: it gives the function its URL.
        Routing shown = routing.percents().isEmpty() && observed.route().isEmpty()
                ? Routing.assumingReady(shares, legs)
                : routing;

        var superfluous = new ObsoleteObjects(record, observed, wanted);
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
                newest(RevisionState::ready),
                wanted.stream().anyMatch(this::isReplacementPending),
                routing.reason());
    }

    private Optional<Integer> newest(Predicate<RevisionState> holds) {
        return record.versions().reversed().stream()
                .map(Version::number)
                .filter(number -> isAny(number, holds))
                .findFirst();
    }

    private boolean isAny(int version, Predicate<RevisionState> holds) {
        Set<CapacitySlot> slots = plans.get(version).slots();
        return states.stream()
                .filter(s -> s.version() == version && slots.contains(s.slot()))
                .anyMatch(holds);
    }

    private List<VersionShare> desiredTraffic() {
        return record.effectiveTraffic(newest(s -> s.ready() || served.contains(s.name()))
                .orElse(record.latest().number()));
    }

    private boolean isNeeded(Version version, List<VersionShare> shares) {
        return version.equals(record.latest())
                || shares.stream().anyMatch(share -> share.version() == version.number() && share.isReachable());
    }

    private Stream<Blocker> blockers(Version version) {
        return plans.get(version.number()).shares().stream().flatMap(share -> blockers(version, share).stream());
    }

    private List<Blocker> blockers(Version version, Share share) {
        return Blocker.of(version.spec(), share.slot(), capabilities, settings);
    }

    private Stream<DesiredRevision> desiredRevisions(Version version) {
        ReplicaSize size = sizes.getOrDefault(version.number(), ReplicaSize.of(version.spec(), Optional.empty(), 0));
        var pods = new PodTemplate(settings, capabilities.features(), capabilities.limits());
        return plans.get(version.number()).shares().stream()
                .filter(share -> blockers(version, share).isEmpty())
                .map(share -> new DesiredRevision(
                        version,
                        share,
                        Templates.template(
                                record.id(),
                                version,
                                share.slot(),
                                pods.of(record.id(), version, share.slot(), size))));
    }

    private RouteCandidate candidate(DesiredRevision wanted) {
        boolean rehearses = isSimulated(wanted.share());
        return new RouteCandidate(
                wanted.version().number(),
                wanted.share(),
                wanted.name(),
                rehearses ? Optional.empty() : best(wanted, RevisionState::ready),
                rehearses ? Optional.empty() : best(wanted, s -> served.contains(s.name())));
    }

    /** Simulated pods are ready before real ones and must never get requests. */
    private boolean isSimulated(Share share) {
        return share.percent() == 0 && capabilities.capacity().simulated().contains(share.slot());
    }

    /** The desired revision if the predicate holds for it, else the newest other one of its version and slot. */
    private Optional<String> best(DesiredRevision wanted, Predicate<RevisionState> holds) {
        List<String> names = states.stream()
                .filter(wanted::matchesVersionAndSlot)
                .filter(holds)
                .map(RevisionState::name)
                .toList();
        return names.contains(wanted.name())
                ? Optional.of(wanted.name())
                : names.stream().findFirst();
    }

    /** A Configuration creates one revision at a time, so missing revisions are created one after another. */
    private List<Configuration> configurations(List<DesiredRevision> wanted, Routing routing) {
        Map<CapacitySlot, List<DesiredRevision>> bySlot = wanted.stream()
                .collect(Collectors.groupingBy(w -> w.share().slot(), LinkedHashMap::new, Collectors.toList()));
        List<Configuration> changed = new ArrayList<>();
        bySlot.values().forEach(turn -> configuration(turn, routing).ifPresent(changed::add));
        return changed;
    }

    /** Another revision of the version is ready, and this one is neither ready nor given up. */
    private boolean isReplacementPending(DesiredRevision wanted) {
        return replaces(wanted) && revision(wanted).map(RevisionState::health).orElse(Health.Other) == Health.Other;
    }

    private boolean replaces(DesiredRevision wanted) {
        return states.stream()
                .filter(wanted::matchesVersionAndSlot)
                .anyMatch(s -> s.ready() && !s.name().equals(wanted.name()));
    }

    private Optional<RevisionState> revision(DesiredRevision wanted) {
        return states.stream().filter(s -> s.name().equals(wanted.name())).findFirst();
    }

    private Optional<Configuration> configuration(List<DesiredRevision> slot, Routing routing) {
        return slot.stream()
                .sorted(Comparator.comparing(w -> w.version().number()))
                .filter(w -> revision(w).isEmpty())
                .filter(w -> mayReplace || !replaces(w))
                .findFirst()
                .or(() -> Optional.of(slot.getLast()).filter(w -> revision(w).isPresent()))
                .flatMap(turn -> changedConfiguration(turn, routing));
    }

    private Optional<Configuration> changedConfiguration(DesiredRevision turn, Routing routing) {
        String name = Names.configuration(record.id().name(), turn.share().slot());
        boolean shown = observed.configuration(name)
                .map(ObservedObjects::templateRevision)
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
    private ScaleAnnotations bounds(Version version, Share share, Routing routing) {
        Set<CapacitySlot> taking = states.stream()
                .filter(s -> s.version() == version.number())
                .filter(s -> routing.percents().containsKey(s.name()))
                .map(RevisionState::slot)
                .collect(Collectors.toSet());
        return ScaleAnnotations.of(version.spec(), share, taking.equals(Set.of(share.slot())));
    }

    private Map<String, Map<String, String>> bounds(Routing routing) {
        Map<String, Map<String, String>> changes = new TreeMap<>();
        for (RevisionState revision : states) {
            record.version(revision.version())
                    .flatMap(version -> share(revision).map(share -> bounds(version, share, routing)))
                    .map(bounds -> bounds.differingFrom(revision.annotations()))
                    .filter(differing -> !differing.isEmpty())
                    .ifPresent(differing -> changes.put(revision.name(), differing));
        }
        return changes;
    }

    private Optional<Share> share(RevisionState revision) {
        return plans.get(revision.version()).shares().stream()
                .filter(share -> share.slot().equals(revision.slot()))
                .findFirst();
    }

    private Optional<Route> route(Routing routing) {
        return routing.percents().isEmpty() || Routes.matches(observed.route(), routing)
                ? Optional.empty()
                : Optional.of(Routes.of(record.id(), owner, routing));
    }
}
