package io.knabla.controller.cli.doctor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.doctor.store.StorePolicy.Role;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StorePolicyTest {
    private static final Path TERRAFORM = Path.of("..", "..", "terraform", "policies");

    @ParameterizedTest
    @EnumSource
    void rolesGetOnlyTheStoresPrefix(Role role) {
        JsonNode policy = policy("s3://models/team/a/", "eu-central-1").document(role);

        assertThat(values(policy, "Resource"))
                .isNotEmpty()
                .allMatch(arn -> arn.equals("arn:aws:s3:::models") || arn.startsWith("arn:aws:s3:::models/team/a/"));
        assertThat(policy.toString()).doesNotContain("${");
    }

    @Test
    void replicaReadsOnlyUnits() {
        JsonNode policy = policy("s3://models", "").document(Role.inference);

        assertThat(values(policy, "Action")).containsExactly("s3:GetObject");
        assertThat(values(policy, "Resource"))
                .containsExactly("arn:aws:s3:::models/units/*", "arn:aws:s3:::models/blobs/*");
    }

    @ParameterizedTest
    @CsvSource({"eu-central-1, aws", "cn-north-1, aws-cn", "us-gov-west-1, aws-us-gov", "'', aws"})
    void regionDeterminesPartition(String region, String partition) {
        assertThat(policy("s3://models", region).partition()).isEqualTo(partition);
    }

    @Test
    void containsKmsKeyOnlyIfGiven() {
        String key = "arn:aws:kms:eu-central-1:1:key/2";
        JsonNode with = StorePolicy.of("s3://b/p", "", Optional.of(key)).document(Role.training);

        assertThat(values(with, "Action")).contains("kms:GenerateDataKey", "kms:Decrypt");
        assertThat(values(with, "Resource")).contains(key);
        assertThat(values(policy("s3://b/p", "").document(Role.training), "Action"))
                .noneMatch(action -> action.startsWith("kms:"));
    }

    @Test
    void rejectsFolder() {
        assertThatThrownBy(() -> policy("file:///var/lib/knabla", "")).hasMessageContaining("write s3://bucket/prefix");
    }

    /** Terraform reads the files, we their copies in the jar: one text for both. */
    @Test
    void templatesEqualThoseOfTerraform() throws IOException {
        try (Stream<Path> files = Files.list(TERRAFORM)) {
            List<Path> templates = files.filter(
                            file -> file.getFileName().toString().startsWith("store-"))
                    .toList();
            assertThat(templates).hasSize(Role.values().length + 1);
            for (Path template : templates) {
                try (InputStream ours = StorePolicy.class.getResourceAsStream(
                        template.getFileName().toString())) {
                    assertThat(ours).as("%s in the jar", template).hasContent(Files.readString(template));
                }
                assertThat(Files.readString(template).replaceAll("\\$\\{(bucket|prefix|partition|kms_key)}", "x"))
                        .doesNotContain("${")
                        .satisfies(text -> Documents.JSON.readTree(text));
            }
        }
    }

    private static StorePolicy policy(String location, String region) {
        return StorePolicy.of(location, region, Optional.empty());
    }

    /** Values of all statements; IAM treats one value and a list of values alike. */
    private static List<String> values(JsonNode policy, String name) {
        return StreamSupport.stream(policy.get("Statement").spliterator(), false)
                .map(statement -> statement.get(name))
                .flatMap(value -> value.isArray() ? StreamSupport.stream(value.spliterator(), false) : Stream.of(value))
                .map(JsonNode::asText)
                .toList();
    }
}
