package io.knabla.controller.knative.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RightsTest {
    @Test
    void onlyRolesThatAreBoundCount() {
        assertThat(Rights.granted(objects(), "knabla-controller"))
                .containsExactly(
                        new ApiCall("get", "", "pods"),
                        new ApiCall("list", "", "pods"),
                        new ApiCall("patch", "knabla.dev", "functions/status"));
        assertThat(Rights.granted(objects(), "somebody")).isEmpty();
    }

    @Test
    void callsAreReadFromMetrics() {
        assertThat(Rights.used("""
                                # TYPE knabla_kubernetes_requests counter
                                knabla_kubernetes_requests_total{group="",resource="pods",verb="list"} 2.0
                                knabla_kubernetes_requests_total{group="",resource="",verb="get"} 1.0
                                knabla_kubernetes_requests_total{group="knabla.dev",resource="functions/status",verb="patch"} 7.0
                                """))
                .containsExactly(
                        new ApiCall("list", "", "pods"), new ApiCall("patch", "knabla.dev", "functions/status"));
    }

    private static List<HasMetadata> objects() {
        return Stream.of("""
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: controller}
                        rules:
                          - {apiGroups: [knabla.dev], resources: [functions/status], verbs: [patch]}
                        """, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: unbound}
                        rules:
                          - {apiGroups: [""], resources: [secrets], verbs: [list]}
                        """, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata: {name: controller, namespace: a}
                        rules:
                          - {apiGroups: [""], resources: [pods], verbs: [get, list]}
                        """, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata: {name: controller, namespace: b}
                        rules:
                          - {apiGroups: [""], resources: [nodes], verbs: [get]}
                        """, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: controller}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: controller}
                        subjects: [{kind: ServiceAccount, name: knabla-controller, namespace: a}]
                        """, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: RoleBinding
                        metadata: {name: controller, namespace: a}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: controller}
                        subjects: [{kind: ServiceAccount, name: knabla-controller, namespace: a}]
                        """)
                .map(yaml -> new KubernetesSerialization().<HasMetadata>unmarshal(yaml))
                .toList();
    }
}
