package io.knabla.controller.knative.rights;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.knative.calls.ApiCall;
import java.util.List;

/**
 * Asks the API server by SelfSubjectAccessReviews whether this controller's service account may make a call.
 *
 * @param namespaces that the controller manages; empty for all
 */
record AccessReviews(KubernetesClient client, List<String> namespaces) {
    /** Returns true if there is no answer: asking must not keep anything from being done. */
    boolean isAllowed(ApiCall call) {
        return isAllowed(call, null)
                || !namespaces.isEmpty() && namespaces.stream().allMatch(namespace -> isAllowed(call, namespace));
    }

    /** @param namespace null for the whole cluster */
    private boolean isAllowed(ApiCall call, String namespace) {
        try {
            return !Boolean.FALSE.equals(review(call, namespace));
        } catch (KubernetesClientException unanswered) {
            return true;
        }
    }

    /** Null without an answer. */
    private Boolean review(ApiCall call, String namespace) {
        String[] resource = call.resource().split("/");
        SelfSubjectAccessReview answered = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
                        .withNamespace(namespace)
                        .withVerb(call.verb())
                        .withGroup(call.group())
                        .withResource(resource[0])
                        .withSubresource(resource.length > 1 ? resource[1] : "")
                        .endResourceAttributes()
                        .endSpec()
                        .build());
        return answered.getStatus() == null ? null : answered.getStatus().getAllowed();
    }
}
