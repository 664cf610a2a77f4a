package io.knabla.controller.knative.rights;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.knative.calls.ApiCall;

/** Asks the API server by SelfSubjectAccessReviews whether this account may make a call in every namespace. */
record AccessReviews(KubernetesClient client) {
    /** Returns true if there is no answer: asking must not keep anything from being done. */
    boolean isAllowed(ApiCall call) {
        try {
            return !Boolean.FALSE.equals(review(call));
        } catch (KubernetesClientException unanswered) {
            return true;
        }
    }

    /** Null without an answer. */
    private Boolean review(ApiCall call) {
        String[] resource = call.resource().split("/");
        SelfSubjectAccessReview answered = client.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withNewResourceAttributes()
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
