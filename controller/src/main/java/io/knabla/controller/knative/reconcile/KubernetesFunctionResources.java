package io.knabla.controller.knative.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.platform.FunctionResources;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Reads and writes Function resources through the API server; turns its rejections into faults of the spec. */
@Singleton
@ForPlatform(ClusterKind.Knative)
final class KubernetesFunctionResources implements FunctionResources {
    private static final System.Logger LOG = System.getLogger(KubernetesFunctionResources.class.getName());

    /** Differs from the operator's field manager: the object shows which fields came from the API. */
    private static final String MANAGER = "knabla-api";

    private static final int UNPROCESSABLE = 422;

    /** How long the deletion of a function may take; see {@link FunctionFinalizer}. */
    private static final Duration GOING = FunctionFinalizer.IN_CLUSTER.plusSeconds(10);

    /** How long to wait for the leader to reconcile a change; after that the caller stops waiting. */
    private static final Duration SEEN = Duration.ofSeconds(10);

    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(MANAGER)
            .build();

    private static final List<Integer> CHANGED =
            List.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND);

    /** Retries conflicts with the operator's status writes, other edits and deletions. */
    private static final RetryPolicy<Object> LOST_RACES = RetryPolicy.builder()
            .handleIf(failure ->
                    failure instanceof KubernetesClientException refused && CHANGED.contains(refused.getCode()))
            .withBackoff(Duration.ofMillis(20), Duration.ofSeconds(1))
            .withMaxAttempts(10)
            .build();

    private final KubernetesClient client;
    private final List<String> namespaces;

    KubernetesFunctionResources(KubernetesClient client, Settings settings) {
        this.client = client;
        this.namespaces = settings.cluster().namespaces().orElse(List.of());
    }

    @Override
    public List<Fault> faults(FunctionResource resource) {
        FunctionId id = new FunctionId(resource.namespace(), resource.name());
        if (!namespaces.isEmpty() && !namespaces.contains(id.namespace())) {
            return List.of(new Fault(
                    "metadata.namespace",
                    "'%s' is not one of this controller's namespaces, which are %s"
                            .formatted(id.namespace(), String.join(", ", namespaces))));
        }
        if (!isGone(id)) {
            return List.of(new Fault(
                    "metadata.name",
                    "a function '%s' is being deleted and has not gone yet; try again in a moment"
                            .formatted(id.name())));
        }
        return apply(resource, true);
    }

    private List<Fault> apply(FunctionResource resource, boolean dry) {
        try {
            client.resource(object(resource)).patch(context(dry));
            return List.of();
        } catch (KubernetesClientException refused) {
            return faults(new FunctionId(resource.namespace(), resource.name()), refused);
        }
    }

    /** Waits until a Function that is being deleted is gone: a write would be deleted along with it. */
    private boolean isGone(FunctionId id) {
        FunctionObject there = at(id).get();
        return there == null || !there.isMarkedForDeletion() || waited(id, there);
    }

    private boolean waited(FunctionId id, FunctionObject there) {
        String uid = there.getMetadata().getUid();
        try {
            at(id).waitUntilCondition(
                            now -> now == null || !now.getMetadata().getUid().equals(uid),
                            GOING.toMillis(),
                            TimeUnit.MILLISECONDS);
            return true;
        } catch (KubernetesClientTimeoutException late) {
            return false;
        }
    }

    @Override
    public List<Fault> write(FunctionResource resource) {
        return apply(resource, false);
    }

    @Override
    public boolean ownsTraffic() {
        return true;
    }

    @Override
    public Optional<List<TrafficTarget>> changeTraffic(FunctionId id, UnaryOperator<List<TrafficTarget>> change) {
        return Failsafe.with(LOST_RACES).get(() -> changeTrafficOnce(id, change));
    }

    private Optional<List<TrafficTarget>> changeTrafficOnce(FunctionId id, UnaryOperator<List<TrafficTarget>> change) {
        FunctionObject there = at(id).get();
        if (there == null) {
            return Optional.empty();
        }
        List<TrafficTarget> wanted = change.apply(traffic(there));
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("resourceVersion", there.getMetadata().getResourceVersion());
        patch.putObject("spec").set("traffic", FunctionYaml.trafficToJson(wanted));
        awaitReconciled(id, at(id).patch(MERGE, patch.toString()));
        return Optional.of(wanted);
    }

    /** Empty for an invalid spec. */
    private static List<TrafficTarget> traffic(FunctionObject there) {
        return switch (FunctionParser.parse(there)) {
            case Parsed.Valid(var resource) -> resource.spec().traffic();
            case Parsed.Invalid _ -> List.of();
        };
    }

    /** Waits until a controller has reconciled the change: the next read should show it. A timeout keeps the change. */
    private void awaitReconciled(FunctionId id, FunctionObject written) {
        long generation = written.getMetadata().getGeneration();
        try {
            at(id).waitUntilCondition(
                            now -> now == null || hasSeen(now, generation), SEEN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (KubernetesClientTimeoutException late) {
            LOG.log(System.Logger.Level.INFO, "no controller reconciled {0} within {1}", id, SEEN);
        }
    }

    private static boolean hasSeen(FunctionObject now, long generation) {
        return now.getStatus() != null
                && now.getStatus().observedGeneration() != null
                && now.getStatus().observedGeneration() >= generation;
    }

    @Override
    public boolean delete(FunctionId id) {
        FunctionObject there = at(id).get();
        if (there == null) {
            return false;
        }
        at(id).delete();
        waited(id, there);
        return true;
    }

    private Resource<FunctionObject> at(FunctionId id) {
        return client.resources(FunctionObject.class)
                .inNamespace(id.namespace())
                .withName(id.name());
    }

    private static PatchContext context(boolean dry) {
        var context = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(MANAGER)
                .withForce(true);
        return (dry ? context.withDryRun(List.of("All")) : context).build();
    }

    /** Writes traffic even if it is empty: a file without traffic resets it. */
    private static FunctionObject object(FunctionResource resource) {
        ObjectNode spec = FunctionYaml.specToJson(resource.spec());
        spec.set("traffic", FunctionYaml.trafficToJson(resource.spec().traffic()));
        FunctionObject object = new FunctionObject();
        object.getMetadata().setNamespace(resource.namespace());
        object.getMetadata().setName(resource.name());
        object.setSpec(spec);
        return object;
    }

    private static List<Fault> faults(FunctionId id, KubernetesClientException refused) {
        Optional<Status> status = Optional.ofNullable(refused.getStatus());
        return switch (refused.getCode()) {
            case UNPROCESSABLE, HttpURLConnection.HTTP_BAD_REQUEST -> {
                List<Fault> faults =
                        causes(status).map(KubernetesFunctionResources::fault).toList();
                yield faults.isEmpty() ? List.of(new Fault("", sentence(refused, status))) : faults;
            }
            case HttpURLConnection.HTTP_NOT_FOUND ->
                List.of(new Fault("metadata.namespace", absent(id, status, sentence(refused, status))));
            case HttpURLConnection.HTTP_FORBIDDEN ->
                List.of(new Fault("metadata.namespace", sentence(refused, status)));
            default -> throw refused;
        };
    }

    private static String absent(FunctionId id, Optional<Status> status, String sentence) {
        return status.map(Status::getDetails)
                        .map(StatusDetails::getKind)
                        .filter("namespaces"::equals)
                        .isPresent()
                ? "there is no namespace '%s'; kubectl create namespace %s makes it"
                        .formatted(id.namespace(), id.namespace())
                : "the cluster does not know functions.knabla.dev (%s); kubectl apply -k k8s/base makes it known"
                        .formatted(sentence);
    }

    private static Stream<StatusCause> causes(Optional<Status> status) {
        return status.map(Status::getDetails).stream().flatMap(details -> details.getCauses().stream());
    }

    private static Fault fault(StatusCause cause) {
        return new Fault(
                Objects.requireNonNullElse(cause.getField(), ""),
                Objects.requireNonNullElse(cause.getMessage(), String.valueOf(cause.getReason())));
    }

    private static String sentence(KubernetesClientException refused, Optional<Status> status) {
        return status.map(Status::getMessage).orElseGet(refused::getMessage);
    }
}
