package io.knabla.controller.knative.reconcile;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.deploy.UnitProvenance;
import io.knabla.controller.deploy.UnitProvenance.Origin;
import io.knabla.controller.knative.manifest.Blocker;
import io.knabla.controller.knative.manifest.ClusterCapabilities;
import io.knabla.controller.knative.manifest.FunctionOwnership;
import io.knabla.controller.knative.manifest.ObservedObjects;
import io.knabla.controller.knative.manifest.PlacementPlan;
import io.knabla.controller.knative.manifest.PodSettings;
import io.knabla.controller.knative.manifest.ReplicaSize;
import io.knabla.controller.knative.manifest.Rollout;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.status.FunctionSnapshot;
import io.knabla.controller.knative.status.MissingObjects;
import io.knabla.functions.compiler.analyze.Analysis;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Applies the next step of a function's rollout: brings the cluster closer to the catalog's record. */
final class RolloutApplier {
    /** Status codes of requests that may succeed when repeated: lost races, and an overloaded server. */
    private static final List<Integer> TRANSIENT = List.of(408, 409, 429);

    /** Also the answer for an unknown resource, until Knative is installed. */
    private static final int ABSENT = 404;

    /**
     * Result of one rollout step.
     *
     * @param unfinished whether to try again later: the API server declined a part, or the watch is behind
     */
    record RolloutOutcome(Optional<PlacementPlan> plan, List<Blocker> blockers, boolean unfinished) {
        static final RolloutOutcome NONE = new RolloutOutcome(Optional.empty(), List.of(), false);

        static boolean isOutage(KubernetesClientException failed) {
            return !isPermanent(failed) && !TRANSIENT.contains(failed.getCode());
        }

        static RolloutOutcome failed(KubernetesClientException failed) {
            return blocked(
                    Optional.empty(),
                    Reason.KubernetesUnavailable,
                    "a request to the API server failed and is retried: " + sentence(failed));
        }

        /** True while the plan is not known. */
        boolean mayUseSpot() {
            return plan.map(known -> known.shares().stream()
                            .anyMatch(share -> share.slot().isSpot()))
                    .orElse(true);
        }

        private static RolloutOutcome blocked(Optional<PlacementPlan> plan, Reason reason, String message) {
            return new RolloutOutcome(plan, List.of(new Blocker(reason, message)), true);
        }
    }

    private final ObjectApplier writer;
    private final PodSettings settings;
    private final UnitProvenance origins;
    private final ReplacementLimiter replacements;
    private final RolloutNeeds needs;
    private final SleepApplier sleep;

    RolloutApplier(
            ObjectApplier writer,
            PodSettings settings,
            UnitProvenance origins,
            ReplacementLimiter replacements,
            RolloutNeeds needs,
            SleepApplier sleep) {
        this.writer = writer;
        this.settings = settings;
        this.origins = origins;
        this.replacements = replacements;
        this.needs = needs;
        this.sleep = sleep;
    }

    RolloutOutcome applyNextStep(
            FunctionObject function, FunctionRecord record, FunctionSnapshot seen, ClusterCapabilities capabilities) {
        List<HasMetadata> remains = leftovers(function, seen);
        if (!remains.isEmpty()) {
            remains.stream().filter(it -> !it.isMarkedForDeletion()).forEach(writer::delete);
            return RolloutOutcome.blocked(
                    Optional.empty(),
                    Reason.Deleting,
                    "objects of a deleted function of the same name are still being removed");
        }
        FunctionRecord warmed = warmed(record, seen);
        Rollout planned = rollout(function, warmed, seen, needs.capabilities(capabilities, record.id()));
        Rollout rollout = sleep.apply(warmed, this::size, observed(seen), planned);
        Optional<PlacementPlan> plan = Optional.of(rollout.plan());
        try {
            Optional<Route> unseen = seen.route().isPresent() ? Optional.empty() : writer.route(function);
            if (unseen.filter(new FunctionOwnership(record.id())::matches).isPresent()) {
                // The watch is behind: applying now would overwrite what it has not delivered yet.
                return new RolloutOutcome(plan, rollout.blockers(), true);
            }
            if (unseen.isPresent()) {
                return RolloutOutcome.blocked(
                        plan,
                        Reason.NameTaken,
                        "namespace '%s' has a Knative Route '%s' that Knabla did not make; delete it (or the Knative Service that it belongs to), or name the function otherwise"
                                .formatted(
                                        function.getMetadata().getNamespace(),
                                        function.getMetadata().getName()));
            }
            if (MissingObjects.preventPods(seen)) {
                writer.forget(function);
            }
            writer.write(function, rollout);
        } catch (KubernetesClientException declined) {
            if (!isPermanent(declined)) {
                throw declined;
            }
            return RolloutOutcome.blocked(
                    plan, Reason.Declined, "the API server declined what the function needs: " + sentence(declined));
        }
        return new RolloutOutcome(plan, rollout.blockers(), false);
    }

    /** Raises {@code scaling.min}, which becomes {@code min-scale} of the live Revisions. */
    private FunctionRecord warmed(FunctionRecord record, FunctionSnapshot seen) {
        long running =
                seen.pods().stream().filter(pod -> !pod.isMarkedForDeletion()).count();
        return record.with(
                record.versions().stream()
                        .map(version -> version.withSpec(
                                version.spec().atLeast(needs.minimum(record.id(), version.number(), (int) running))))
                        .toList(),
                record.traffic());
    }

    private Rollout rollout(
            FunctionObject function, FunctionRecord record, FunctionSnapshot seen, ClusterCapabilities capabilities) {
        OwnerReference owner = owner(function);
        ObservedObjects observed = observed(seen);
        Map<Integer, ReplicaSize> sizes = sizes(record);
        Rollout held = Rollout.next(record, owner, observed, capabilities, settings, sizes, false);
        if (!held.replacing()) {
            replacements.done(record.id());
            return held;
        }
        return replacements.admits(record.id())
                ? Rollout.next(record, owner, observed, capabilities, settings, sizes, true)
                : held;
    }

    private static ObservedObjects observed(FunctionSnapshot seen) {
        return new ObservedObjects(seen.configurations(), seen.revisions(), seen.route());
    }

    private static boolean isPermanent(KubernetesClientException declined) {
        int code = declined.getCode();
        return code >= 400 && code < 500 && code != ABSENT && !TRANSIENT.contains(code);
    }

    private static String sentence(KubernetesClientException declined) {
        return declined.getStatus() == null || declined.getStatus().getMessage() == null
                ? declined.getMessage()
                : declined.getStatus().getMessage();
    }

    /** Finds the objects that a deleted Function of the same name still owns. */
    private static List<HasMetadata> leftovers(FunctionObject function, FunctionSnapshot seen) {
        String uid = function.getMetadata().getUid();
        return Stream.concat(seen.configurations().stream(), seen.route().stream())
                .map(HasMetadata.class::cast)
                .filter(object -> object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                                && !owner.getUid().equals(uid)))
                .toList();
    }

    private static OwnerReference owner(FunctionObject function) {
        return new OwnerReferenceBuilder()
                .withApiVersion(function.getApiVersion())
                .withKind(function.getKind())
                .withName(function.getMetadata().getName())
                .withUid(function.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    /** Sizes of all versions that may run. */
    private Map<Integer, ReplicaSize> sizes(FunctionRecord record) {
        return Stream.concat(
                        Stream.of(record.latest()),
                        record.effectiveTraffic().stream()
                                .map(target -> record.version(target.version()).orElse(null))
                                .filter(Objects::nonNull))
                .distinct()
                .collect(Collectors.toMap(Version::number, this::size));
    }

    private ReplicaSize size(Version version) {
        Optional<Origin> origin = origins.of(version.unit());
        return ReplicaSize.of(
                version.spec(),
                origin.map(Origin::analysis).map(Analysis::suggestion),
                origin.map(Origin::unitBytes).orElse(0L));
    }
}
