package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.print.Documents;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code analyze} says about GPU nodes. */
class AnalyzePlacementTest {
    @TempDir
    Path folder;

    private Path model() throws IOException {
        GraphProto graph = GraphProto.newBuilder()
                .setName("g")
                .addInput(floats("x"))
                .addNode(node("Relu", "x", "a"))
                .addNode(node("Sinh", "a", "b"))
                .addNode(node("Relu", "b", "y"))
                .addOutput(floats("y"))
                .build();
        ModelProto model = ModelProto.newBuilder()
                .setIrVersion(10)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(20))
                .setGraph(graph)
                .build();
        return Files.write(folder.resolve("model.onnx"), model.toByteArray());
    }

    private static NodeProto node(String op, String input, String output) {
        return NodeProto.newBuilder()
                .setOpType(op)
                .addInput(input)
                .addOutput(output)
                .build();
    }

    private static ValueInfoProto floats(String name) {
        TensorShapeProto shape = TensorShapeProto.newBuilder()
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(2))
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(8))
                .build();
        TypeProto.Tensor type = TypeProto.Tensor.newBuilder()
                .setElemType(ElementType.FLOAT.number())
                .setShape(shape)
                .build();
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(type))
                .build();
    }

    @Test
    void namesNodesOnTheCpuAndCopies() throws IOException {
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString());

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        assertThat(analyzed.out())
                .contains("graph main, 2 nodes on the GPU, 1 on the CPU, 2 copies of 128 B a call", "are assumed")
                .containsPattern("main +b +Sinh +the CUDA provider has no kernel for it")
                .containsPattern("main +a +the CPU +64 B")
                .containsPattern("main +b +the GPU +64 B");
    }

    @Test
    void writesThemAsDocument() throws IOException {
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString(), "-o", "json");

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        JsonNode gpu = Documents.JSON.readTree(analyzed.out()).path("gpu");
        assertThat(gpu.at("/main/device").asInt()).isEqualTo(2);
        assertThat(gpu.at("/main/fallbacks/0/reason").asText()).isEqualTo("NO_KERNEL");
        assertThat(gpu.at("/main/copies").size()).isEqualTo(2);
        assertThat(gpu.at("/main/copiedBytes").asLong()).isEqualTo(128);
        assertThat(gpu.at("/link/source").asText()).isEqualTo("assumed");
    }

    @Test
    void tellsFromWhichRateAGpuNodePays() throws IOException {
        CommandResult table = CommandResult.knabla("analyze", model().toString());
        CommandResult analyzed = CommandResult.knabla("analyze", model().toString(), "-o", "json");

        assertThat(table.out()).contains("PAYS FROM CALLS/S", "g4dn.xlarge", "ON C7I.XLARGE");
        assertThat(table.err()).contains("speeds of nodes: assumed");
        JsonNode pools = Documents.JSON.readTree(analyzed.out()).path("pools");
        assertThat(pools.findValuesAsText("device")).containsExactly("T4", "L4", "A10G", "H100");
        assertThat(pools.findValuesAsText("source")).containsOnly("assumed");
        assertThat(pools.at("/0/cpuDollarsPerMillion").asDouble()).isPositive();
    }

    @Test
    void placesGradientGraphsOfAFunction() throws IOException {
        Path file = Files.writeString(folder.resolve("function.yaml"), """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: steep}
                spec:
                  type: Gradient
                  model: model.onnx
                  gradient: {loss: {output: y, function: MSE, target: t}, withRespectTo: [inputs]}
                """);

        CommandResult analyzed =
                CommandResult.knabla("analyze", model().toString(), "-f", file.toString(), "-o", "json");

        assertThat(analyzed.status()).as(analyzed.err()).isZero();
        JsonNode gpu = Documents.JSON.readTree(analyzed.out()).path("gpu");
        assertThat(gpu.at("/main/fallbacks").findValuesAsText("op")).contains("Sinh", "Cosh");
        assertThat(gpu.at("/source/fallbacks").findValuesAsText("op")).containsExactly("Sinh");
    }
}
