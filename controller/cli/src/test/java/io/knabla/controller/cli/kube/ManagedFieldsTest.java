package io.knabla.controller.cli.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ManagedFieldsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KUBECTL = """
            {"manager": "kubectl-client-side-apply", "operation": "Update", "time": "t",
             "fieldsV1": {"f:spec": {"f:model": {}, "f:scaling": {".": {}, "f:min": {}}}}}
            """;
    private static final String OTHERS = """
            {"manager": "operator", "operation": "Update", "subresource": "status",
             "fieldsV1": {"f:status": {}}},
            {"manager": "kubectl-edit", "operation": "Update", "fieldsV1": {"f:spec": {"f:timeout": {}}}}
            """;

    @Test
    void takesOverOnlyFieldsOfKubectlApply() throws IOException {
        assertThat(takenOver(KUBECTL + "," + OTHERS))
                .isEqualTo(JSON.readTree("[%s, %s]"
                        .formatted(
                                OTHERS,
                                KUBECTL.replace("kubectl-client-side-apply", "us")
                                        .replace("Update", "Apply"))));
    }

    @Test
    void addsToOwnFields() throws IOException {
        String ours = """
                {"manager": "us", "operation": "Apply",
                 "fieldsV1": {"f:spec": {"f:type": {}, "f:scaling": {"f:max": {}}}}}
                """;

        JsonNode owners = takenOver(ours + "," + KUBECTL);

        assertThat(owners).hasSize(1);
        assertThat(owners.at("/0/fieldsV1")).isEqualTo(JSON.readTree("""
                                {"f:spec": {"f:model": {}, "f:type": {},
                                            "f:scaling": {".": {}, "f:min": {}, "f:max": {}}}}
                                """));
    }

    @Test
    void emptyIfKubectlOwnsNothing() throws IOException {
        assertThat(ManagedFields.takeOverFromKubectl(JSON.readTree("[" + OTHERS + "]"), "us"))
                .isEmpty();
        assertThat(ManagedFields.takeOverFromKubectl(JSON.missingNode(), "us")).isEmpty();
    }

    private static JsonNode takenOver(String owners) throws IOException {
        return ManagedFields.takeOverFromKubectl(JSON.readTree("[" + owners + "]"), "us")
                .orElseThrow();
    }
}
