package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cli.print.Documents;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.decoder.TestModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code analyze} of a language model in a Hugging Face folder. */
class AnalyzeFolderTest {
    @TempDir
    Path parent;

    private Path model() throws IOException {
        return TestModel.of("qwen3").write(parent.resolve("tiny"));
    }

    @Test
    void printsWhatATokenCosts() throws IOException {
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString());

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        assertThat(analyzed.out())
                .contains(
                        "QUANTIZE",
                        "MOST TOKENS/S",
                        "Int8",
                        "Int4",
                        "Qwen3ForCausalLM, 3 layers",
                        "96 known, in a table of")
                .containsPattern("Keys and values: +1.5 KiB per token, 192.0 KiB for a context of 128 tokens");
    }

    @Test
    void tellsTheCostOfAnEncodersTokens() throws IOException {
        Path model = TestEncoder.of("bert").write(parent.resolve("bert"));

        CommandResult analyzed = CommandResult.knabla("analyze", model.toString());

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        assertThat(analyzed.out())
                .contains(
                        "QUANTIZE",
                        "Int8",
                        "BertModel, 2 layers, vectors of 48 elements",
                        "200 known, in a table of",
                        "80 at most in a text");
    }

    @Test
    void writesDocuments() throws IOException {
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString(), "-o", "json");

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        var analysis = Documents.JSON.readTree(analyzed.out());
        assertThat(analysis.at("/keyValueBytesPerToken").asLong()).isEqualTo(1536);
        assertThat(analysis.at("/int8KeyValueBytesPerToken").asLong()).isEqualTo(384);
        assertThat(analysis.at("/precisions/2/name").asText()).isEqualTo("Int4");
        assertThat(analysis.at("/precisions/2/mostTokensPerSecond").asDouble())
                .isGreaterThan(analysis.at("/precisions/0/mostTokensPerSecond").asDouble());
    }

    @Test
    void tellsAllFaults() throws IOException {
        Path folder = model();
        String config = Files.readString(folder.resolve("config.json"));
        Files.writeString(
                folder.resolve("config.json"),
                config.replace("Qwen3ForCausalLM", "Qwen4ForCausalLM").replaceFirst("\"vocab_size\"", "\"vocab\""));
        Files.delete(folder.resolve("model.safetensors"));

        CommandResult analyzed = CommandResult.knabla("analyze", folder.toString());

        assertThat(analyzed.status()).isEqualTo(1);
        assertThat(analyzed.err())
                .contains(
                        "cannot be packaged:",
                        "unknown architecture 'Qwen4ForCausalLM'; the nearest known one is Qwen2ForCausalLM",
                        "model.safetensors: missing");
        assertThat(analyzed.out()).isEmpty();
    }

    @Test
    void refusesForecastsOfCalls() throws IOException {
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString(), "--rate", "20/s");

        assertThat(analyzed.status()).isEqualTo(2);
        assertThat(analyzed.err()).contains("--rate forecasts calls of ONNX models");
    }
}
