package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.cli.doctor.Finding.Grade;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class AccountRightsTest {
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    KubernetesMockServer server;
    KubernetesClient client;
    private final Queue<SubjectAccessReview> asked = new ConcurrentLinkedQueue<>();

    @Test
    void accountWithAllRightsIsGood() {
        allow(_ -> true);

        Finding finding = AccountRights.of(client, controller());

        assertThat(finding.grade()).isEqualTo(Grade.good);
        assertThat(finding.found()).startsWith("own-account may make all ");
        assertThat(asked)
                .hasSizeGreaterThan(40)
                .allSatisfy(review -> assertThat(review.getSpec().getUser())
                        .isEqualTo("system:serviceaccount:elsewhere:own-account"));
        assertThat(asked)
                .extracting(review -> review.getSpec().getResourceAttributes().getNamespace())
                .contains(null, "elsewhere", "knative-serving", "kube-node-lease")
                .doesNotContain("knabla-system");
    }

    @Test
    void missingRightsAreNamed() {
        allow(call -> !call.getResource().equals("nodes") || !call.getVerb().equals("get"));

        Finding finding = AccountRights.of(client, controller());

        assertThat(finding.grade()).isEqualTo(Grade.bad);
        assertThat(finding.found()).isEqualTo("own-account may not get nodes");
        assertThat(finding.fix()).startsWith("kubectl apply -k k8s/overlays/");
    }

    @Test
    void subresourcesAndGroupsAreAskedFor() {
        allow(call -> !"status".equals(call.getSubresource()));

        assertThat(AccountRights.of(client, controller()).found())
                .isEqualTo("own-account may not patch functions/status.knabla.dev");
    }

    @Test
    void contextThatMayNotAskIsTold() {
        server.expect().post().withPath(REVIEWS).andReturn(403, "").always();

        Finding finding = AccountRights.of(client, controller());

        assertThat(finding.grade()).isEqualTo(Grade.good);
        assertThat(finding.found()).contains("may not create SubjectAccessReviews");
    }

    private void allow(Predicate<ResourceAttributes> allowed) {
        server.expect()
                .post()
                .withPath(REVIEWS)
                .andReply(201, request -> {
                    var review = Serialization.unmarshal(request.getUtf8Body(), SubjectAccessReview.class);
                    asked.add(review);
                    return new SubjectAccessReviewBuilder(review)
                            .withNewStatus()
                            .withAllowed(allowed.test(review.getSpec().getResourceAttributes()))
                            .endStatus()
                            .build();
                })
                .always();
    }

    private static Pod controller() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("elsewhere")
                .withName("c")
                .endMetadata()
                .withNewSpec()
                .withServiceAccountName("own-account")
                .endSpec()
                .build();
    }
}
