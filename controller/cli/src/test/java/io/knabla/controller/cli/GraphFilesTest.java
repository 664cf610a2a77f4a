package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.controller.cli.FakePlatform.Reply;
import io.knabla.controller.cli.print.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that write ONNX files: differentiate and export. */
class GraphFilesTest {
    private static final Path LECTURE =
            Path.of("").toAbsolutePath().resolve("../../functions/samples/lecture/lecture.onnx");

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("out.onnx");
    }

    private CommandResult differentiate(String... more) {
        var all = new java.util.ArrayList<>(java.util.List.of("differentiate", LECTURE.toString()));
        all.addAll(java.util.List.of(more));
        return CommandResult.knabla(all.toArray(String[]::new));
    }

    private ModelProto outputAxes() throws IOException {
        return ModelProto.parseFrom(Files.readAllBytes(file()));
    }

    @Test
    void writesTheBackwardGraph() throws IOException {
        CommandResult ran = differentiate("--loss", "y", "--wrt", "inputs", "-o", file().toString());

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.lastLine()).contains("value-and-grad of lecture.onnx", "operators");
        assertThat(ran.out()).containsPattern("out +x1_grad +FP32 +\\[]");
        assertThat(outputAxes().getGraph().getOutputList().stream().map(o -> o.getName()))
                .containsExactly("loss", "x1_grad", "x2_grad", "y");
        assertThat(outputAxes().getGraph().getNodeList())
                .allMatch(node -> node.getDomain().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"vjp, ct:y, x1_grad", "jvp, tan:x1, jvp:y", "hvp, tan:x2, hvp:x1", "jacobian, x1, jac:y:x2"})
    void writesOtherDerivatives(String kind, String input, String output) throws IOException {
        CommandResult ran = differentiate("--loss", "y", "--wrt", "x1,x2", "--kind", kind, "-o", file().toString());

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(outputAxes().getGraph().getInputList().stream().map(i -> i.getName()))
                .contains(input);
        assertThat(outputAxes().getGraph().getOutputList().stream().map(o -> o.getName()))
                .contains(output);
    }

    @Test
    void reportsAsJsonBesideTheFile() throws IOException {
        CommandResult ran = differentiate("--loss", "y", "--wrt", "inputs", "-o", "json", "-o", file().toString());

        var report = Documents.JSON.readTree(ran.out());
        assertThat(report.path("file").asText()).isEqualTo(file().toString());
        assertThat(report.path("operators").asInt())
                .isEqualTo(outputAxes().getGraph().getNodeCount());
        assertThat(report.at("/outputs/1/name").asText()).isEqualTo("x1_grad");
    }

    @Test
    void analyzesWrittenGraph() {
        differentiate("--loss", "y", "--wrt", "inputs", "-o", file().toString());

        CommandResult analyzed = CommandResult.knabla("analyze", file().toString());

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        assertThat(analyzed.out()).contains("FLOPs", "Peak memory");
    }

    @Test
    void predictsTimeOfWrittenGraph() throws IOException {
        differentiate("--loss", "y", "--wrt", "inputs", "-o", file().toString());

        CommandResult analyzed = CommandResult.knabla("analyze", file().toString(), "-o", "json");

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        var analysis = Documents.JSON.readTree(analyzed.out());
        assertThat(analysis.path("predictedMillis").asDouble()).isPositive();
        assertThat(analysis.at("/machine/flops").asDouble()).isPositive();
        assertThat(analysis.at("/machine/bytesPerSecond").asDouble()).isPositive();
        assertThat(analysis.at("/machine/source").asText()).isIn("measured", "assumed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --loss y --wrt inputs               | 2 | say where to write the graph
            -o x.onnx                           | 2 | say with --loss
            --learning-rate 0.1 -o x.onnx       | 2 | say with --loss
            --loss y -o a.onnx -o b.onnx        | 2 | at most one format
            --loss y -o a.onnx --kind sideways  | 2 | value-and-grad, vjp, jvp, hvp, jacobian
            --loss z --wrt x1,nothing -o x.onnx | 1 | spec.gradient.withRespectTo[1]
            --loss y --loss-function mse --target t -o x.onnx | 1 | did you mean 'MSE'?
            """)
    void reportsFaults(String arguments, int status, String sentence) {
        CommandResult ran = differentiate(arguments.split(" +"));

        assertThat(ran.status()).isEqualTo(status);
        assertThat(ran.err()).contains(sentence);
        assertThat(Path.of("x.onnx")).doesNotExist();
    }

    @Test
    void verbWithoutFileAcceptsOnlyFormats() {
        CommandResult list = CommandResult.knabla("list", "-o", "out.onnx");

        assertThat(list.status()).isEqualTo(2);
        assertThat(list.err()).contains("'out.onnx' is no format", "table, wide, json, yaml, name");
    }

    @Test
    void exportsModelOfReadyVersion() throws IOException {
        try (var platform = new FakePlatform()) {
            platform.on("GET /api/v1/functions/default/digits", Reply.ok("{\"latestVersion\": 3, \"readyVersion\": 2}"))
                    .on("GET /api/v1/functions/default/digits/versions/2/model", Reply.ok("a model"));

            CommandResult ran =
                    CommandResult.knabla("export", "digits", "-o", file().toString(), "--server", platform.url());

            assertThat(ran.status()).as(ran.err()).isZero();
            assertThat(ran.lastLine()).contains("version 2 of digits", "7 B");
            assertThat(Files.readString(file())).isEqualTo("a model");
            assertThat(folder.toFile().list()).containsExactly("out.onnx");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"model.safetensors", "MODEL.SafeTensors"})
    void theEndOfTheNameChoosesTheWeights(String name) throws IOException {
        Path weights = folder.resolve(name);
        try (var platform = new FakePlatform()) {
            platform.on("GET /api/v1/functions/default/digits/versions/2/weights", Reply.ok("the weights"));

            CommandResult ran = CommandResult.knabla(
                    "export", "digits", "--version", "2", "-o", weights.toString(), "--server", platform.url());

            assertThat(ran.status()).as(ran.err()).isZero();
            assertThat(ran.lastLine()).contains("weights of version 2 of digits", "11 B");
            assertThat(folder.toFile().list()).containsExactly(name);
            assertThat(Files.readString(weights)).isEqualTo("the weights");
        }
    }

    @Test
    void failedExportLeavesNoFile() {
        try (var platform = new FakePlatform()) {
            CommandResult ran = CommandResult.knabla(
                    "export", "digits", "--version", "9", "-o", file().toString(), "--server", platform.url());

            assertThat(ran.status()).isEqualTo(1);
            assertThat(ran.err()).contains("no such thing");
            assertThat(folder.toFile().list()).isEmpty();
        }
    }
}
