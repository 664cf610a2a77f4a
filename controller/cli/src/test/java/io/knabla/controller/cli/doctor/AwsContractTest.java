package io.knabla.controller.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.knabla.controller.knative.capacity.ClusterNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the names that {@code k8s/} and {@code terraform/aws} share together, without Terraform. What Terraform reads
 * from {@code k8s/} is compared with the literals in its tests, which {@code ./knabla test terraform} holds to the
 * resources.
 */
class AwsContractTest {
    private static final Path AWS = Path.of("../../terraform/aws");
    private static final Path K8S = Path.of("../../k8s");
    private static final YAMLMapper YAML = new YAMLMapper();

    @Test
    void nodePools() throws IOException {
        String literals = Files.readString(AWS.resolve("tests/contract.tftest.hcl"));
        var names = new TreeSet<String>();
        for (JsonNode pool : pools()) {
            String name = pool.at("/metadata/name").asText();
            String kind = name.split("-")[1];
            JsonNode template = pool.at("/spec/template");
            names.add("\"" + name + "\"");
            assertThat(template.at("/metadata/labels"))
                    .as(name)
                    .hasToString("{\"knabla.dev/pool\":\"%s\"}".formatted(kind));
            assertThat(template.at("/spec/requirements/0/key").asText()).isEqualTo(ClusterNode.KARPENTER_CAPACITY);
            assertThat(name)
                    .endsWith(template.at("/spec/requirements/0/values/0").asText());
            for (JsonNode taint : template.at("/spec/taints")) {
                assertThat(taint.get("effect").asText()).isEqualTo("NoSchedule");
                assertThat(literals)
                        .contains("\"%s=%s:NO_SCHEDULE\""
                                .formatted(
                                        taint.get("key").asText(),
                                        taint.get("value").asText()));
            }
            assertThat(template.at("/spec/taints").isEmpty()).as(name).isEqualTo(name.equals("knabla-cpu-on-demand"));
        }

        assertThat(literals).contains("[" + String.join(", ", names) + "]", "tomap({ \"knabla.dev/pool\" =");
    }

    @Test
    void serviceAccounts() throws IOException {
        String literals = Files.readString(AWS.resolve("tests/contract.tftest.hcl"));

        for (String file : List.of("account.yaml", "check.yaml")) {
            JsonNode metadata = YAML.readTree(
                            K8S.resolve("components/roles/" + file).toFile())
                    .get("metadata");
            assertThat(literals)
                    .contains("\"system:serviceaccount:%s:%s\""
                            .formatted(
                                    metadata.get("namespace").asText(),
                                    metadata.get("name").asText()));
        }
    }

    @Test
    void images() throws IOException {
        List<String> names = new ArrayList<>();
        YAML.readTree(K8S.resolve("images/kustomization.yaml").toFile())
                .get("images")
                .forEach(image -> names.add("\"" + image.get("name").asText() + "\""));

        assertThat(AWS.resolve("tests/contract.tftest.hcl"))
                .content()
                .contains("keys(aws_ecr_repository.this) == [" + String.join(", ", names) + "]");
    }

    /** Every key of the overlay's account is an output, and each replacement of the overlay has its key. */
    @Test
    void account() throws IOException {
        String outputs = Files.readString(AWS.resolve("outputs.tf"));
        String overlay = Files.readString(K8S.resolve("overlays/aws/kustomization.yaml"));

        YAML.readTree(K8S.resolve("overlays/aws/account.yaml").toFile())
                .get("data")
                .fieldNames()
                .forEachRemaining(key -> {
                    assertThat(outputs).containsPattern("(?m)^ +" + key + " += ");
                    assertThat(overlay).contains("fieldPath: data." + key + "}");
                });
    }

    /** Karpenter finds its network by the first; the budget counts instances that have the second. */
    @Test
    void tagsOfTheOverlayAreThoseThatTerraformSets() throws IOException {
        List<String> keys = Pattern.compile("tags\\.\\[([^]]+)]")
                .matcher(Files.readString(K8S.resolve("overlays/aws/kustomization.yaml")))
                .results()
                .map(found -> '"' + found.group(1) + '"')
                .distinct()
                .toList();

        assertThat(keys).hasSize(2);
        assertThat(AWS.resolve("network.tf")).content().contains(keys.getFirst());
        assertThat(AWS.resolve("cluster.tf")).content().contains(keys.getFirst());
        assertThat(AWS.resolve("locals.tf")).content().contains(keys.getLast());
    }

    /** Knative's operator gets the features that kubectl would set, from the same file. */
    @Test
    void filesOfK8sThatTerraformReadsAreThere() throws IOException {
        String locals = Files.readString(AWS.resolve("locals.tf"));

        List<String> read = Pattern.compile("local\\.manifests}/([^\"$]+)\"")
                .matcher(locals)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(read)
                .hasSize(4)
                .allSatisfy(file -> assertThat(K8S.resolve(file)).isRegularFile());
    }

    /** No role has rights on the bucket that a person does not find in {@code terraform/policies}. */
    @Test
    void rightsOnTheBucketAreOnlyThoseOfThePolicies() throws IOException {
        String identity = Files.readString(AWS.resolve("identity.tf"));

        try (Stream<Path> files = Files.list(AWS.resolve("../policies"))) {
            assertThat(files.map(file -> file.getFileName().toString().replaceFirst("\\.json.*", "")))
                    .allSatisfy(policy -> assertThat(identity).contains(policy));
        }
        try (Stream<Path> files = Files.list(AWS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".tf")))
                    .allSatisfy(file -> assertThat(file).content().doesNotContainPattern("\"s3:[A-Z]"));
        }
    }

    private static List<JsonNode> pools() throws IOException {
        List<JsonNode> pools = new ArrayList<>();
        for (String file : List.of("cpu.yaml", "gpu.yaml")) {
            try (var documents = YAML.readerFor(JsonNode.class)
                    .<JsonNode>readValues(
                            K8S.resolve("components/karpenter/" + file).toFile())) {
                documents.forEachRemaining(pools::add);
            }
        }
        return pools.stream()
                .filter(document -> document.get("kind").asText().equals("NodePool"))
                .toList();
    }
}
