package io.knabla.controller.knative.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiCallTest {
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    GET    | /api/v1/pods                                                        | list             |                       | pods
                    GET    | /api/v1/pods?allowWatchBookmarks=true&watch=true                    | watch            |                       | pods
                    GET    | /api/v1/namespaces/a/pods/b                                         | get              |                       | pods
                    GET    | /api/v1/namespaces/a/pods/b/log?tailLines=9                         | get              |                       | pods/log
                    GET    | /api/v1/nodes/n                                                     | get              |                       | nodes
                    GET    | /api/v1/namespaces/a                                                | get              |                       | namespaces
                    POST   | /api/v1/namespaces/a/events                                         | create           |                       | events
                    PATCH  | /apis/knabla.dev/v1alpha1/namespaces/a/functions/f/status           | patch            | knabla.dev            | functions/status
                    PUT    | /apis/coordination.k8s.io/v1/namespaces/a/leases/l                  | update           | coordination.k8s.io   | leases
                    DELETE | /apis/serving.knative.dev/v1/namespaces/a/revisions/r               | delete           | serving.knative.dev   | revisions
                    DELETE | /apis/serving.knative.dev/v1/namespaces/a/revisions                 | deletecollection | serving.knative.dev   | revisions
                    GET    | /apis/karpenter.sh/v1/nodepools                                     | list             | karpenter.sh          | nodepools
                    GET    | /apis                                                               | get              |                       | ''
                    GET    | /apis/knabla.dev/v1alpha1                                           | get              | knabla.dev            | ''
                    GET    | /version                                                            | get              |                       | ''
                    """)
    void namesRequestsAsRolesDo(String method, String path, String verb, String group, String resource) {
        ApiCall call = ApiCall.of(method, URI.create("https://10.0.0.1" + path));

        assertThat(call).isEqualTo(new ApiCall(verb, group == null ? "" : group, resource == null ? "" : resource));
    }
}
