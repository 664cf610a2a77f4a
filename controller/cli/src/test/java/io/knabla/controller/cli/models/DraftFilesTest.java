package io.knabla.controller.cli.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.cli.CliFailure;
import io.knabla.functions.decoder.TestModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A function.yaml that names a main model and one that drafts, both beside it. */
class DraftFilesTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void function() throws IOException {
        TestModel.of("qwen3").write(folder.resolve("large"));
        TestModel.of("llama").write(folder.resolve("small"));
        file = Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: writer}
                spec:
                  type: Generation
                  model: ./large/
                  generation: {speculation: {type: Draft, model: ./small/}}
                """);
    }

    private FunctionFile read() {
        return FunctionFile.read(file.toString(), null).getFirst();
    }

    @Test
    void filesOfBothAreSent() {
        FunctionFile function = read();

        assertThat(function.document().at("/spec/externalData").properties())
                .extracting(entry -> entry.getKey())
                .containsExactly(
                        "model.safetensors",
                        "small/config.json",
                        "small/model.safetensors",
                        "small/tokenizer.json",
                        "tokenizer.json");
        assertThat(function.model().orElseThrow().files())
                .containsValue(folder.resolve("./small/").resolve("config.json"))
                .containsValue(folder.resolve("./small/").resolve("model.safetensors"));
    }

    @Test
    void faultsAreToldBeforeAnythingIsSent() throws IOException {
        Files.delete(folder.resolve("small/model.safetensors"));

        assertThatThrownBy(this::read)
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("spec.generation.speculation.model: small/model.safetensors");
    }
}
