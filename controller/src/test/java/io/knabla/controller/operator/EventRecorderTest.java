package io.knabla.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.cluster.knative.diagnose.Transitions.Transition;
import io.knabla.controller.cluster.knative.resource.FunctionObject;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
    private static final Transition PACKAGED = new Transition("Normal", "Packaged", "version 1 is in the store");

    private final ApplyingServer server = new ApplyingServer();
    private final KubernetesClient client = server.client();
    private final EventRecorder events = new EventRecorder(client, Clock.systemUTC(), "one");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void createsANewEventWithOneRequest() {
        events.record(function(), PACKAGED);

        assertThat(server.requests("/events"))
                .singleElement()
                .satisfies(request -> assertThat(request).startsWith("POST "));
    }

    @Test
    void countsRepeatedEvents() {
        List.of(1, 2, 3).forEach(_ -> events.record(function(), PACKAGED));

        assertThat(client.events()
                        .v1()
                        .events()
                        .inNamespace(World.NAMESPACE)
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries().getCount()).isEqualTo(3));
    }

    private static FunctionObject function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(World.NAMESPACE);
        function.getMetadata().setName("digits");
        function.getMetadata().setUid("uid");
        return function;
    }
}
