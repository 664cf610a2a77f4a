package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class InterruptionRightsTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    KubernetesMockServer server;
    KubernetesClient client;
    private final Set<String> refused = new HashSet<>();
    private InterruptionRights rights;

    @BeforeEach
    void open() {
        rights = new InterruptionRights(new InterruptionCalls(client)::isAllowed);
    }

    private void answer() {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReply(201, request -> {
                    SelfSubjectAccessReview asked =
                            Serialization.unmarshal(request.getBody().inputStream(), SelfSubjectAccessReview.class);
                    var call = asked.getSpec().getResourceAttributes();
                    String text = "%s %s/%s".formatted(call.getVerb(), call.getResource(), call.getSubresource());
                    return new SelfSubjectAccessReviewBuilder(asked)
                            .withNewStatus()
                            .withAllowed(!refused.contains(text))
                            .endStatus()
                            .build();
                })
                .always();
    }

    @Test
    void whatIsRefusedIsNamedUntilItIsGranted() {
        answer();
        refused.addAll(Set.of("patch nodes/", "create pods/eviction"));
        assertThat(rights.round(NOW)).isTrue();
        assertThat(rights.refusal().orElseThrow())
                .contains("may not patch nodes, create pods/eviction,", "kubectl apply -k", "doctor --context");

        refused.clear();
        assertThat(rights.round(NOW.plus(InterruptionRights.PERIOD))).isTrue();
        assertThat(rights.refusal()).isEmpty();
    }

    @Test
    void nothingIsSaidWhileAllIsGranted() {
        answer();
        assertThat(rights.round(NOW)).isFalse();
        assertThat(rights.refusal()).isEmpty();
    }

    @Test
    void theServerIsAskedTwiceAMinuteAndAfterARefusedCall() {
        answer();
        rights.round(NOW);
        refused.add("get nodes/");
        assertThat(rights.round(NOW.plusSeconds(1))).isFalse();

        rights.askAgain();
        assertThat(rights.round(NOW.plusSeconds(2))).isTrue();
    }

    @Test
    void aRefusedQuestionIsNoRefusalAndStopsNothing() {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(403, "")
                .always();
        assertThat(rights.round(NOW)).isFalse();
        assertThat(rights.refusal()).isEmpty();
    }
}
