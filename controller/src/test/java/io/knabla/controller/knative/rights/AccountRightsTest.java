package io.knabla.controller.knative.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class AccountRightsTest {
    KubernetesMockServer server;
    KubernetesClient client;
    private final Set<String> refused = new HashSet<>();
    private final AtomicInteger changes = new AtomicInteger();
    private AccountRights rights;
    private Instant now = Instant.parse("2026-11-26T12:00:00Z");
    private boolean leads = true;

    @BeforeEach
    void open() {
        rights = rights(EnumSet.allOf(AccountTask.class));
        rights.onChange(changes::incrementAndGet);
    }

    private AccountRights rights(Set<AccountTask> tasks) {
        return new AccountRights(tasks, new AccessReviews(client)::isAllowed, () -> now, () -> leads);
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
    void whatIsRefusedIsNamedByTaskUntilItIsGranted() {
        answer();
        refused.addAll(Set.of("patch nodes/", "create pods/eviction", "get pods/log"));
        rights.round();
        assertThat(rights.refusals()).containsOnlyKeys(AccountTask.MOVE, AccountTask.READ_LOGS);
        assertThat(rights.refusals().get(AccountTask.MOVE))
                .contains("may not patch nodes, create pods/eviction, so", "kubectl apply -k", "doctor --context");
        assertThat(rights.refusals().get(AccountTask.READ_LOGS)).contains("may not get pods/log, so");

        refused.clear();
        now = now.plus(AccountRights.PERIOD);
        rights.round();
        assertThat(rights.refusals()).isEmpty();
        assertThat(changes).hasValue(2);
    }

    @Test
    void nothingIsSaidWhileAllIsGranted() {
        answer();
        rights.round();
        assertThat(rights.refusals()).isEmpty();
        assertThat(changes).hasValue(0);
    }

    @Test
    void theServerIsAskedTwiceAMinuteAndAfterARefusedCall() {
        answer();
        rights.round();
        refused.add("get nodes/");
        now = now.plusSeconds(1);
        rights.round();
        assertThat(rights.refusals()).isEmpty();

        rights.askAgain();
        rights.round();
        assertThat(rights.refusals()).containsOnlyKeys(AccountTask.MOVE);
    }

    @Test
    void onlyALeaderAsksAndOnlyForItsTasks() {
        answer();
        refused.addAll(Set.of("list events/", "get pods/log"));
        leads = false;
        rights.round();
        assertThat(rights.refusals()).isEmpty();

        leads = true;
        var logs = rights(Set.of(AccountTask.READ_LOGS));
        logs.round();
        assertThat(logs.refusals()).containsOnlyKeys(AccountTask.READ_LOGS);
    }

    @Test
    void aRefusedQuestionIsNoRefusalAndStopsNothing() {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(403, "")
                .always();
        rights.round();
        assertThat(rights.refusals()).isEmpty();
    }
}
