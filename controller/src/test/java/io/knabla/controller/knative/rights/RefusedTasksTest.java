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
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class RefusedTasksTest {
    KubernetesMockServer server;
    KubernetesClient client;
    private final Set<String> refused = new HashSet<>();
    private final Set<String> grantedIn = new HashSet<>();
    private final AtomicInteger changes = new AtomicInteger();
    private RefusedTasks tasks;
    private Instant now = Instant.parse("2026-11-26T12:00:00Z");
    private boolean leads = true;
    private List<String> namespaces = List.of();

    @BeforeEach
    void open() {
        tasks = tasks(EnumSet.allOf(PrivilegedTask.class));
        tasks.onChange(changes::incrementAndGet);
    }

    private RefusedTasks tasks(Set<PrivilegedTask> asked) {
        return new RefusedTasks(asked, new AccessReviews(client, namespaces)::isAllowed, () -> now, () -> leads);
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
                    boolean granted = !refused.contains(text) || grantedIn.contains(call.getNamespace());
                    return new SelfSubjectAccessReviewBuilder(asked)
                            .withNewStatus()
                            .withAllowed(granted)
                            .endStatus()
                            .build();
                })
                .always();
    }

    @Test
    void whatIsRefusedIsNamedByTaskUntilItIsGranted() {
        answer();
        refused.addAll(Set.of("patch nodes/", "create pods/eviction", "get pods/log"));
        tasks.round();
        assertThat(tasks.refusals()).containsOnlyKeys(PrivilegedTask.MOVE, PrivilegedTask.READ_LOGS);
        assertThat(tasks.refusals().get(PrivilegedTask.MOVE))
                .contains("may not patch nodes, create pods/eviction, so", "kubectl apply -k", "doctor --context");
        assertThat(tasks.refusals().get(PrivilegedTask.READ_LOGS)).contains("may not get pods/log, so");

        refused.clear();
        now = now.plus(RefusedTasks.PERIOD);
        tasks.round();
        assertThat(tasks.refusals()).isEmpty();
        assertThat(changes).hasValue(2);
    }

    @Test
    void nothingIsSaidWhileAllIsGranted() {
        answer();
        tasks.round();
        assertThat(tasks.refusals()).isEmpty();
        assertThat(changes).hasValue(0);
    }

    @Test
    void theServerIsAskedTwiceAMinuteAndAfterARefusedCall() {
        answer();
        tasks.round();
        refused.add("get nodes/");
        now = now.plusSeconds(1);
        tasks.round();
        assertThat(tasks.refusals()).isEmpty();

        tasks.askAgain();
        tasks.round();
        assertThat(tasks.refusals()).containsOnlyKeys(PrivilegedTask.MOVE);
    }

    @Test
    void aRightInEachNamespaceIsEnoughForAControllerOfSome() {
        answer();
        refused.add("get pods/log");
        grantedIn.add("shop");
        namespaces = List.of("shop", "lab");
        tasks = tasks(Set.of(PrivilegedTask.READ_LOGS));
        assertThat(tasks.refusals()).containsOnlyKeys(PrivilegedTask.READ_LOGS);

        grantedIn.add("lab");
        tasks.askAgain();
        assertThat(tasks.refusals()).isEmpty();
    }

    @Test
    void onlyALeaderAsksAndOnlyForItsTasks() {
        answer();
        refused.addAll(Set.of("list events/", "get pods/log"));
        leads = false;
        tasks.round();
        assertThat(tasks.refusals()).isEmpty();

        leads = true;
        var logs = tasks(Set.of(PrivilegedTask.READ_LOGS));
        logs.round();
        assertThat(logs.refusals()).containsOnlyKeys(PrivilegedTask.READ_LOGS);
    }

    @Test
    void aRefusedQuestionIsNoRefusalAndStopsNothing() {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(403, "")
                .always();
        tasks.round();
        assertThat(tasks.refusals()).isEmpty();
    }
}
