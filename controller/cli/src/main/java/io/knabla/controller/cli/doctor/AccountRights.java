package io.knabla.controller.cli.doctor;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks the API server whether the account of the installed controller may do all that the roles of this build grant: an
 * installation of an older build, or one by hand, may lack some.
 *
 * @param namespace of the controller
 * @param account its service account
 */
record AccountRights(KubernetesClient client, String namespace, String account) {
    private static final String CHECK = "account";

    /** The namespace in the shipped roles; an overlay may install into another. */
    private static final String SHIPPED = "knabla-system";

    /** Of {@code k8s/base/rbac}, without those for people and for the first secrets, which may be taken out. */
    private static final List<String> FILES =
            List.of("functions.yaml", "own-namespace.yaml", "knative-settings.yaml", "node-leases.yaml");

    private static final int SHOWN = 5;

    /** @param controller a pod of it */
    static Finding of(KubernetesClient client, Pod controller) {
        String account = Optional.ofNullable(controller.getSpec())
                .map(spec -> spec.getServiceAccountName())
                .orElse("knabla-controller");
        return new AccountRights(client, controller.getMetadata().getNamespace(), account).finding();
    }

    private Finding finding() {
        List<ResourceAttributes> needed = needed();
        try {
            List<String> missing = needed.stream()
                    .filter(call -> !isAllowed(call))
                    .map(AccountRights::sentence)
                    .distinct()
                    .toList();
            return missing.isEmpty()
                    ? Finding.good(CHECK, "%s may make all %d kinds of calls".formatted(account, needed.size()))
                    : Finding.bad(
                            CHECK,
                            "%s may not %s".formatted(account, shown(missing)),
                            "kubectl apply -k k8s/overlays/local, or overlays/aws: the roles are in k8s/base/rbac");
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw refused;
            }
            return Finding.good(CHECK, "not checked: this context may not create SubjectAccessReviews");
        }
    }

    private static String shown(List<String> missing) {
        String first = missing.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return missing.size() > SHOWN ? "%s and %d more".formatted(first, missing.size() - SHOWN) : first;
    }

    private static String sentence(ResourceAttributes call) {
        String resource =
                call.getSubresource().isEmpty() ? call.getResource() : call.getResource() + "/" + call.getSubresource();
        String whole = call.getGroup().isEmpty() ? resource : resource + "." + call.getGroup();
        return "%s %s".formatted(call.getVerb(), whole);
    }

    private boolean isAllowed(ResourceAttributes call) {
        SubjectAccessReview asked = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser("system:serviceaccount:%s:%s".formatted(namespace, account))
                .addToGroups("system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated")
                .withResourceAttributes(call)
                .endSpec()
                .build();
        SubjectAccessReview answered =
                client.authorization().v1().subjectAccessReview().create(asked);
        return answered.getStatus() != null
                && Boolean.TRUE.equals(answered.getStatus().getAllowed());
    }

    private List<ResourceAttributes> needed() {
        return FILES.stream()
                .flatMap(AccountRights::documents)
                .map(yaml -> new KubernetesSerialization().<HasMetadata>unmarshal(yaml))
                .flatMap(object -> switch (object) {
                    case ClusterRole role -> calls(role.getRules(), null);
                    case Role role -> calls(role.getRules(), role.getMetadata().getNamespace());
                    default -> Stream.empty();
                })
                .toList();
    }

    private Stream<ResourceAttributes> calls(List<PolicyRule> rules, String where) {
        String place = SHIPPED.equals(where) ? namespace : where;
        return rules.stream()
                .flatMap(rule -> rule.getApiGroups().stream()
                        .flatMap(group -> rule.getResources().stream()
                                .flatMap(resource -> rule.getVerbs().stream()
                                        .flatMap(verb -> names(rule)
                                                .map(name -> new ResourceAttributesBuilder()
                                                        .withVerb(verb)
                                                        .withGroup(group)
                                                        .withResource(resource.replaceFirst("/.*", ""))
                                                        .withSubresource(resource.replaceFirst("^[^/]*/?", ""))
                                                        .withName(name)
                                                        .withNamespace(place)
                                                        .build())))));
    }

    private static Stream<String> names(PolicyRule rule) {
        List<String> names = Objects.requireNonNullElse(rule.getResourceNames(), List.of());
        return names.isEmpty() ? Stream.of("") : names.stream();
    }

    private static Stream<String> documents(String file) {
        try (InputStream in = AccountRights.class.getResourceAsStream("roles/" + file)) {
            return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^---$"));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a file of this build", impossible);
        }
    }
}
