package io.knabla.controller.knative.reconcile;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.knative.status.Transitions.Transition;
import io.knabla.functions.unit.Sha256;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/**
 * Records Kubernetes events of a Function, as {@code kubectl describe} and {@code kubectl events} show them. A repeated
 * event increments the series of the first one, as the API requires. Events are best effort: a failed write is only
 * logged.
 */
final class EventRecorder {
    private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
    private static final PatchContext MERGE = new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(Labels.MANAGER)
            .build();
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** Limit of the API, in characters. */
    private static final int MOST_NOTE = 1024;

    /** An object's name may have 253 characters; a function's has 63 at most. */
    private static final int HASH = 16;

    private final KubernetesClient client;
    private final Clock clock;
    private final String instance;

    /** @param instance unique name of this controller */
    EventRecorder(KubernetesClient client, Clock clock, String instance) {
        this.client = client;
        this.clock = clock;
        this.instance = instance;
    }

    /** Records a warning that is no change of a condition; nothing if the Function is gone. */
    void warn(FunctionId id, String reason, String message) {
        try {
            FunctionObject function = client.resources(FunctionObject.class)
                    .inNamespace(id.namespace())
                    .withName(id.name())
                    .get();
            if (function != null) {
                record(function, new Transition("Warning", reason, message));
            }
        } catch (KubernetesClientException refused) {
            LOG.log(System.Logger.Level.DEBUG, "cannot record an event of {0}: {1}", id, refused.getMessage());
        }
    }

    void record(FunctionObject function, Transition transition) {
        try {
            record(event(function, transition));
        } catch (KubernetesClientException refused) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "cannot record that {0} is {1}: {2}",
                    FunctionParser.id(function),
                    transition.reason(),
                    refused.getMessage());
        }
    }

    /** Creates first, and patches on a conflict: most events are new. */
    private void record(Event event) {
        try {
            client.resource(event).create();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw refused;
            }
            var there = client.resource(event);
            Event before = there.get();
            if (before != null) {
                there.patch(MERGE, again(before));
            }
        }
    }

    private Event event(FunctionObject function, Transition transition) {
        var metadata = function.getMetadata();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName() + "." + hash(metadata.getUid(), transition))
                .addToLabels(Labels.FUNCTION, metadata.getName())
                .endMetadata()
                .withEventTime(new MicroTime(now()))
                .withReportingController(Labels.GROUP + "/controller")
                .withReportingInstance(instance)
                .withAction("Reconcile")
                .withType(transition.type())
                .withReason(transition.reason())
                .withNote(shortened(transition.message()))
                .withRegarding(new ObjectReferenceBuilder()
                        .withApiVersion(function.getApiVersion())
                        .withKind(function.getKind())
                        .withNamespace(metadata.getNamespace())
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .build())
                .build();
    }

    /** Patches only the series: the API allows no other change of an event. */
    private String again(Event before) {
        int count = Optional.ofNullable(before.getSeries())
                .map(series -> series.getCount())
                .orElse(1);
        return Serialization.asJson(Map.of("series", Map.of("count", count + 1, "lastObservedTime", now())));
    }

    private String now() {
        return MICROS.format(clock.instant());
    }

    private static String hash(String uid, Transition transition) {
        String told = String.join("\n", uid, transition.type(), transition.reason(), transition.message());
        return Sha256.of(told.getBytes(StandardCharsets.UTF_8)).hex().substring(0, HASH);
    }

    private static String shortened(String note) {
        return note.length() <= MOST_NOTE ? note : note.substring(0, MOST_NOTE - 1) + "…";
    }
}
