package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorStoreTest {
    @TempDir
    Path folder;

    @Test
    void printsNamesOfChecks() {
        CommandResult ran =
                CommandResult.knabla("doctor", "--store", folder.toUri().toString(), "-o", "name");

        assertThat(ran.status()).isZero();
        assertThat(ran.out().lines()).isNotEmpty().noneMatch(line -> line.contains("good"));
    }

    @Test
    void checksFolder() throws IOException {
        CommandResult ran =
                CommandResult.knabla("doctor", "--store", folder.toUri().toString(), "-o", "json");

        assertThat(ran.err()).contains("checking " + folder.toUri());
        assertThat(ran.status()).isZero();
        JsonNode items = Documents.JSON.readTree(ran.out()).path("items");
        assertThat(items.findValuesAsText("check")).contains("write", "race to create", "latency");
        assertThat(items.findValuesAsText("grade")).doesNotContain("bad");
    }

    @Test
    void printsPolicyWithoutCallingStore() throws IOException {
        CommandResult ran = CommandResult.knabla("doctor", "--store", "s3://models/a", "--policy", "inference");

        assertThat(ran.status()).isZero();
        assertThat(Documents.JSON.readTree(ran.out()).findValuesAsText("Action"))
                .containsExactly("s3:GetObject");
    }

    @Test
    void policyContainsKmsKey() {
        String key = "arn:aws:kms:eu-central-1:1:key/2";

        CommandResult ran = CommandResult.knabla("doctor", "--store", "s3://models", "--policy", "--kms-key", key);

        assertThat(ran.out()).contains("kms:GenerateDataKey", key, "s3:ListBucket");
    }

    @Test
    void printsWhatTheIdlePlatformOfTerraformCosts() throws IOException {
        assertThat(CommandResult.knabla("doctor", "--aws").out()).containsPattern("small +a month +\\$\\d+\\.\\d\\d");
        assertThat(Documents.JSON
                        .readTree(CommandResult.knabla("doctor", "--aws", "-o", "json")
                                .out())
                        .findValuesAsText("size"))
                .contains("small", "medium", "large");
    }

    @Test
    void aFolderThatCannotBeMadeIsNoBug() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        CommandResult ran = CommandResult.knabla("doctor", "--store", "file://" + file + "/store");
        assertThat(ran.status()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.err())
                .contains("the store file://" + file + "/store cannot be used")
                .doesNotContain("bug");
    }

    @Test
    void rejectsInvalidLocation() {
        assertThat(CommandResult.knabla("doctor", "--store", "ftp://somewhere").status())
                .isEqualTo(ExitCodes.USAGE_ERROR);
        assertThat(CommandResult.knabla("doctor", "--policy").err()).contains("--policy needs --store");
        assertThat(CommandResult.knabla("doctor", "--store", "file:///tmp", "--policy")
                        .err())
                .contains("write s3://bucket/prefix");
    }
}
