package io.knabla.controller.operator;

import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.cluster.knative.diagnose.Seen;
import io.knabla.controller.cluster.knative.manifest.Blocker;
import io.knabla.controller.cluster.knative.manifest.Observed;
import io.knabla.controller.cluster.knative.manifest.Ours;
import io.knabla.controller.cluster.knative.manifest.PodSettings;
import io.knabla.controller.cluster.knative.manifest.Rollout;
import io.knabla.controller.cluster.knative.manifest.Size;
import io.knabla.controller.cluster.knative.manifest.SlotPlan;
import io.knabla.controller.cluster.knative.manifest.Terrain;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import io.knabla.controller.deploy.Origins;
import io.knabla.functions.analyze.Analysis;
import io.knabla.functions.spec.FunctionSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Applies the next step of a function's rollout: brings the cluster closer to the catalog's record. */
final class Steering {
    /** Status codes of requests that may succeed when repeated: lost races, and an overloaded server. */
    private static final List<Integer> TRANSIENT = List.of(408, 409, 429);

    /** Also the answer for an unknown resource, until Knative is installed. */
    private static final int ABSENT = 404;

    /**
     * Result of one rollout step.
     *
     * @param unfinished whether to try again later: the API server declined a part, or the watch is behind
     */
    record Steered(Optional<SlotPlan> plan, List<Blocker> blockers, boolean unfinished) {
        static final Steered NOT = new Steered(Optional.empty(), List.of(), false);

        static boolean isOutage(KubernetesClientException failed) {
            return !isForGood(failed) && !TRANSIENT.contains(failed.getCode());
        }

        static Steered failed(KubernetesClientException failed) {
            return hindered(
                    Optional.empty(),
                    "KubernetesUnavailable",
                    "a request to the API server failed and is retried: " + sentence(failed));
        }

        private static Steered hindered(Optional<SlotPlan> plan, String reason, String message) {
            return new Steered(plan, List.of(new Blocker(reason, message)), true);
        }
    }

    private final Writer writer;
    private final PodSettings settings;
    private final Origins origins;
    private final Replacements replacements;

    Steering(Writer writer, PodSettings settings, Origins origins, Replacements replacements) {
        this.writer = writer;
        this.settings = settings;
        this.origins = origins;
        this.replacements = replacements;
    }

    Steered step(FunctionObject function, FunctionRecord record, Seen seen, Terrain terrain) {
        List<HasMetadata> remains = remains(function, seen);
        if (!remains.isEmpty()) {
            remains.stream().filter(it -> !it.isMarkedForDeletion()).forEach(writer::delete);
            return Steered.hindered(
                    Optional.empty(),
                    "Deleting",
                    "objects of a deleted function of the same name are still being removed");
        }
        Rollout rollout = rollout(function, record, seen, terrain);
        Optional<SlotPlan> plan = Optional.of(rollout.plan());
        try {
            Optional<Route> unseen = seen.route().isPresent() ? Optional.empty() : writer.route(function);
            if (unseen.filter(new Ours(record.id())::is).isPresent()) {
                // The watch is behind: applying now would overwrite what it has not delivered yet.
                return new Steered(plan, rollout.blockers(), true);
            }
            if (unseen.isPresent()) {
                return Steered.hindered(
                        plan,
                        "NameTaken",
                        "namespace '%s' has a Knative Route '%s' that Knabla did not make; delete it (or the Knative Service that it belongs to), or name the function otherwise"
                                .formatted(
                                        function.getMetadata().getNamespace(),
                                        function.getMetadata().getName()));
            }
            if (seen.lacksObjects()) {
                writer.forget(function);
            }
            writer.write(function, rollout);
        } catch (KubernetesClientException declined) {
            if (!isForGood(declined)) {
                throw declined;
            }
            return Steered.hindered(
                    plan, "Declined", "the API server declined what the function needs: " + sentence(declined));
        }
        return new Steered(plan, rollout.blockers(), false);
    }

    private Rollout rollout(FunctionObject function, FunctionRecord record, Seen seen, Terrain terrain) {
        OwnerReference owner = owner(function);
        var observed = new Observed(seen.configurations(), seen.revisions(), seen.route());
        Map<Integer, Size> sizes = sizes(record);
        Rollout held = Rollout.next(record, owner, observed, terrain, settings, sizes, false);
        if (!held.replacing()) {
            replacements.done(record.id());
            return held;
        }
        return replacements.admits(record.id())
                ? Rollout.next(record, owner, observed, terrain, settings, sizes, true)
                : held;
    }

    private static boolean isForGood(KubernetesClientException declined) {
        int code = declined.getCode();
        return code >= 400 && code < 500 && code != ABSENT && !TRANSIENT.contains(code);
    }

    private static String sentence(KubernetesClientException declined) {
        return declined.getStatus() == null || declined.getStatus().getMessage() == null
                ? declined.getMessage()
                : declined.getStatus().getMessage();
    }

    /** Finds the objects that a deleted Function of the same name still owns. */
    private static List<HasMetadata> remains(FunctionObject function, Seen seen) {
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

    /** Sizes of all versions that may run; reads the store only if the spec leaves a size open. */
    private Map<Integer, Size> sizes(FunctionRecord record) {
        return Stream.concat(
                        Stream.of(record.latest()),
                        record.effectiveTraffic().stream()
                                .map(target -> record.version(target.version()).orElse(null))
                                .filter(Objects::nonNull))
                .distinct()
                .collect(Collectors.toMap(Version::number, this::size));
    }

    private Size size(Version version) {
        FunctionSpec.Resources resources = version.spec().resources();
        boolean open = resources.milliCpu().isEmpty() || resources.memoryBytes().isEmpty();
        return Size.of(
                version.spec(),
                open
                        ? origins.of(version.unit())
                                .map(Origins.Origin::analysis)
                                .map(Analysis::suggestion)
                        : Optional.empty());
    }
}
