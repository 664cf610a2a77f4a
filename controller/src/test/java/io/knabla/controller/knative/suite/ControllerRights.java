package io.knabla.controller.knative.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.knative.calls.ApiCall;
import io.knabla.controller.knative.calls.Rights;
import java.util.List;
import java.util.Set;

/** Holds what an installed controller may do against what it did, and against what it must never do. */
final class ControllerRights {
    private static final String NAMESPACE = "knabla-system";
    private static final String ACCOUNT = "knabla-controller";

    /** What would make it the cluster's master, or show it what is not its business. */
    private static final List<ApiCall> NEVER = List.of(
            new ApiCall("get", "", "secrets"),
            new ApiCall("list", "", "secrets"),
            new ApiCall("delete", "", "secrets"),
            new ApiCall("create", "", "pods"),
            new ApiCall("delete", "", "pods"),
            new ApiCall("create", "", "pods/exec"),
            new ApiCall("create", "", "serviceaccounts/token"),
            new ApiCall("patch", "", "configmaps"),
            new ApiCall("delete", "", "namespaces"),
            new ApiCall("create", "apps", "deployments"),
            new ApiCall("create", "batch", "jobs"),
            new ApiCall("create", "serving.knative.dev", "revisions"),
            new ApiCall("create", "rbac.authorization.k8s.io", "clusterrolebindings"),
            new ApiCall("patch", "rbac.authorization.k8s.io", "clusterroles"),
            new ApiCall("patch", "apiextensions.k8s.io", "customresourcedefinitions"),
            new ApiCall("impersonate", "", "users"));

    private final KubernetesClient client;
    private final Set<ApiCall> used;

    /** @param used calls that controllers made */
    ControllerRights(KubernetesClient client, Set<ApiCall> used) {
        this.client = client;
        this.used = used;
    }

    /** After a run of all that it does: nothing was refused, and nothing is granted in vain. */
    void areUsedAndEnough(List<HasMetadata> installed) {
        Set<ApiCall> granted = Rights.granted(installed, ACCOUNT);

        areEnough(installed);
        assertThat(Rights.without(Rights.without(granted, used), Rights.unseen().keySet()))
                .as("granted, but never used")
                .isEmpty();
    }

    /** Nothing was called that is not granted. */
    void areEnough(List<HasMetadata> installed) {
        assertThat(used).as("calls of the controller").isNotEmpty();
        assertThat(Rights.without(used, Rights.granted(installed, ACCOUNT)))
                .as("called, but not granted")
                .isEmpty();
    }

    /** As the API server decides it, in another namespace than the controller's own. */
    void endSomewhere() {
        assertThat(may(new ApiCall("list", "", "pods")))
                .as("the question is put right")
                .isTrue();
        assertThat(NEVER).filteredOn(this::may).isEmpty();
    }

    private boolean may(ApiCall call) {
        String[] parts = call.resource().split("/");
        SubjectAccessReview asked = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:%s:%s".formatted(NAMESPACE, ACCOUNT))
                .addToGroups("system:serviceaccounts", "system:serviceaccounts:" + NAMESPACE, "system:authenticated")
                .withNewResourceAttributes()
                .withVerb(call.verb())
                .withGroup(call.group())
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : "")
                .withNamespace("default")
                .endResourceAttributes()
                .endSpec()
                .build();
        return client.authorization()
                .v1()
                .subjectAccessReview()
                .create(asked)
                .getStatus()
                .getAllowed();
    }
}
