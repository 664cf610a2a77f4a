package io.knabla.controller.knative.calls;

import static java.util.stream.Collectors.toCollection;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Stream;

/**
 * What a service account may do, and what its process did: the two should be the same. Where a right holds (everywhere,
 * in one namespace) is left out; the API server's refusals show that.
 */
public final class Rights {
    static final Comparator<ApiCall> ORDER = Comparator.comparing(ApiCall::group)
            .thenComparing(ApiCall::resource)
            .thenComparing(ApiCall::verb);

    private static final Pattern COUNTED =
            Pattern.compile("knabla_kubernetes_requests_total\\{group=\"(.*)\",resource=\"(.*)\",verb=\"(.*)\"\\} .*");

    private Rights() {}

    /** @param objects as they are applied: roles and their bindings among others */
    public static Set<ApiCall> granted(List<HasMetadata> objects, String account) {
        return objects.stream()
                .flatMap(object -> boundRole(object, account))
                .flatMap(role -> rules(objects, role))
                .flatMap(Rights::calls)
                .collect(sorted());
    }

    /** As {@code kind/name} or, with a namespace, {@code kind/namespace/name}. */
    private static Stream<String> boundRole(HasMetadata object, String account) {
        return switch (object) {
            case ClusterRoleBinding binding
            when binding.getSubjects().stream().anyMatch(isAccount(account)) ->
                Stream.of("ClusterRole/" + binding.getRoleRef().getName());
            case RoleBinding binding
            when binding.getSubjects().stream().anyMatch(isAccount(account)) ->
                Stream.of("Role/%s/%s"
                        .formatted(
                                binding.getMetadata().getNamespace(),
                                binding.getRoleRef().getName()));
            default -> Stream.empty();
        };
    }

    private static Predicate<Subject> isAccount(String name) {
        return subject ->
                subject.getKind().equals("ServiceAccount") && subject.getName().equals(name);
    }

    private static Stream<PolicyRule> rules(List<HasMetadata> objects, String wanted) {
        return objects.stream().flatMap(object -> switch (object) {
            case ClusterRole role
            when wanted.equals("ClusterRole/" + role.getMetadata().getName()) -> role.getRules().stream();
            case Role role
            when wanted.equals("Role/%s/%s"
                    .formatted(
                            role.getMetadata().getNamespace(),
                            role.getMetadata().getName())) -> role.getRules().stream();
            default -> Stream.<PolicyRule>empty();
        });
    }

    private static Stream<ApiCall> calls(PolicyRule rule) {
        return rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .flatMap(resource -> rule.getVerbs().stream().map(verb -> new ApiCall(verb, group, resource))));
    }

    /** @param metrics as {@code /q/metrics} has them; what is no resource ({@code /version}) everybody may read */
    public static Set<ApiCall> used(String metrics) {
        return metrics.lines()
                .map(COUNTED::matcher)
                .filter(Matcher::matches)
                .map(line -> new ApiCall(line.group(3), line.group(1), line.group(2)))
                .filter(call -> !call.resource().isEmpty())
                .collect(sorted());
    }

    /** What is in the first alone. */
    public static Set<ApiCall> without(Set<ApiCall> all, Set<ApiCall> others) {
        return all.stream().filter(call -> !others.contains(call)).collect(sorted());
    }

    /** Rights that a whole run of the suite does not need to use, each with what for it is there. */
    public static Map<ApiCall, String> unseen() {
        return Map.ofEntries(
                Map.entry(
                        new ApiCall("update", "knabla.dev", "functions/finalizers"),
                        "owner references, where OwnerReferencesPermissionEnforcement is on"),
                Map.entry(
                        new ApiCall("create", "serving.knative.dev", "configurations"),
                        "a patch by server-side apply that makes what is not there"),
                Map.entry(
                        new ApiCall("create", "serving.knative.dev", "routes"),
                        "a patch by server-side apply that makes what is not there"),
                Map.entry(
                        new ApiCall("create", "knabla.dev", "functions"),
                        "a patch by server-side apply that makes what is not there"),
                Map.entry(new ApiCall("list", "karpenter.sh", "nodepools"), "clusters that have Karpenter"),
                Map.entry(new ApiCall("watch", "karpenter.sh", "nodepools"), "clusters that have Karpenter"),
                Map.entry(new ApiCall("patch", "events.k8s.io", "events"), "an event that comes again"),
                Map.entry(
                        new ApiCall("list", "events.k8s.io", "events"),
                        "ends of nodes, and of pods while no controller ran"),
                Map.entry(new ApiCall("get", "", "nodes"), "a patch, before which the client reads the node"),
                Map.entry(new ApiCall("patch", "", "nodes"), "nodes that are taken back or lost"),
                Map.entry(new ApiCall("create", "", "pods/eviction"), "nodes that are taken back or lost"),
                Map.entry(new ApiCall("create", "policy", "poddisruptionbudgets"), "functions on spot capacity"),
                Map.entry(new ApiCall("delete", "policy", "poddisruptionbudgets"), "functions on spot capacity"),
                Map.entry(new ApiCall("get", "coordination.k8s.io", "leases"), "nodes whose replicas do not answer"),
                Map.entry(new ApiCall("get", "", "pods/log"), "people who ask for logs"));
    }

    private static Collector<ApiCall, ?, Set<ApiCall>> sorted() {
        return toCollection(() -> new TreeSet<>(ORDER));
    }
}
