package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.knative.resource.FunctionObject;
import io.knabla.controller.knative.status.Transitions.Transition;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
    private static final Transition PACKAGED = new Transition("Normal", "Packaged", "version 1 is in the store");

    private final ServerSideApplyMock server = new ServerSideApplyMock();
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
                        .inNamespace(OperatorFixture.NAMESPACE)
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries().getCount()).isEqualTo(3));
    }

    private static FunctionObject function() {
        FunctionObject function = new FunctionObject();
        function.getMetadata().setNamespace(OperatorFixture.NAMESPACE);
        function.getMetadata().setName("digits");
        function.getMetadata().setUid("uid");
        return function;
    }
}
