package io.knabla.controller.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares what {@code ./knabla explain config} reads, and docs/config.md, with the settings, or writes them. */
class ConfigReferenceTest {
    private static final Path SCHEMA =
            Path.of("cli/src/main/resources/io/knabla/controller/cli/verbs/help/config.json");
    private static final Path PAGE = Path.of("../docs/config.md");
    private static final String COMMAND =
            "mvn -pl controller -am test -Dtest=ConfigReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dconfig=write";

    @Test
    void theFilesAreCurrent() throws IOException {
        String schema =
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(ConfigReference.schema()) + "\n";
        String page = ConfigReference.page(COMMAND);
        if ("write".equals(System.getProperty("config"))) {
            Files.createDirectories(SCHEMA.getParent());
            Files.writeString(SCHEMA, schema);
            Files.writeString(PAGE, page);
        }

        assertThat(SCHEMA)
                .as("it differs from Settings; write it with: " + COMMAND)
                .content()
                .isEqualTo(schema);
        assertThat(PAGE)
                .as("it differs from Settings; write it with: " + COMMAND)
                .content()
                .isEqualTo(page);
    }

    @Test
    void everyKeyIsDescribed() {
        List<String> silent = new ArrayList<>();
        collect("", ConfigReference.schema(), silent);

        assertThat(silent).isEmpty();
    }

    private static void collect(String path, JsonNode node, List<String> silent) {
        if (node.path("description").asText().isEmpty()) {
            silent.add(path);
        }
        for (JsonNode block : List.of(node, node.path("items"))) {
            block.path("properties")
                    .properties()
                    .forEach(key -> collect(path + "." + key.getKey(), key.getValue(), silent));
        }
    }

    @Test
    void itHasTheKeysThatTheFileMayHave() {
        JsonNode keys = ConfigReference.schema().get("properties");
        List<String> names = new ArrayList<>();
        keys.fieldNames().forEachRemaining(names::add);
        List<String> ofS3 = new ArrayList<>();
        keys.at("/s3/properties").fieldNames().forEachRemaining(ofS3::add);

        assertThat(names).containsExactlyElementsOf(ConfigKeys.names());
        assertThat(ofS3).containsExactlyInAnyOrderElementsOf(ConfigKeys.S3);
    }
}
