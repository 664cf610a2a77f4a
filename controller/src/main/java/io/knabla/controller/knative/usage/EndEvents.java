package io.knabla.controller.knative.usage;

import static java.lang.System.Logger.Level.WARNING;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.Predicate;

/** Lists the events of one pod or node; if the API server does not answer, there are none. */
final class EndEvents {
    private static final System.Logger LOG = System.getLogger(EndEvents.class.getName());

    private final KubernetesClient client;

    EndEvents(KubernetesClient client) {
        this.client = client;
    }

    MissedEnd ofPod(String uid) {
        return MissedEnd.ofPod(list("regarding.uid", uid, event -> true));
    }

    /** By name: the kubelet gives a node's name as its uid. */
    MissedEnd ofNode(String name, String uid) {
        return MissedEnd.ofNode(list("regarding.name", name, event -> {
            String regarded = event.getRegarding().getUid();
            return "Node".equals(event.getRegarding().getKind()) && (name.equals(regarded) || uid.equals(regarded));
        }));
    }

    private List<Event> list(String field, String value, Predicate<Event> which) {
        try {
            return client.events().v1().events().inAnyNamespace().withField(field, value).list().getItems().stream()
                    .filter(event -> event.getRegarding() != null)
                    .filter(which)
                    .toList();
        } catch (KubernetesClientException failed) {
            // A condition of the functions tells of a missing right, once.
            if (failed.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                LOG.log(WARNING, "cannot read events with {0}={1}: {2}", field, value, failed.getMessage());
            }
            return List.of();
        }
    }
}
