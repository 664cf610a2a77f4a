package io.knabla.functions.compiler.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.analyze.Analysis.OperatorCost;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares counts with closed forms that can be verified by hand. */
class AnalyzerTest {
    private static Analysis analyze(ModelProto model, Map<String, Long> sizes) {
        return Analyzer.analyze(Model.of(model), sizes);
    }

    private static OperatorCost only(Analysis analysis, String op) {
        return analysis.operators().stream()
                .filter(row -> row.op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPerceptron() {
        int n = 8;
        Analysis analysis = analyze(Onnx.mlp(256, 512, 10), Map.of("batch", 8L));

        assertThat(analysis.flops()).isEqualTo(2L * n * 256 * 512 + n * 512 + 2L * n * 512 * 10);
        assertThat(analysis.parameters()).isEqualTo(256 * 512 + 512 + 512 * 10 + 10);
        assertThat(analysis.weightBytes()).isEqualTo(4 * analysis.parameters());
        assertThat(analysis.bytesWritten()).isEqualTo(4L * n * (512 + 512 + 10));
        assertThat(analysis.bytesRead())
                .isEqualTo(4L * (n * 256 + 256 * 512 + 512 + n * 512 + n * 512 + 512 * 10 + 10));
        // x, h and y live at once; r takes the place of h.
        assertThat(analysis.peakMemoryBytes()).isEqualTo(4L * n * (256 + 512 + 10));
        assertThat(analysis.arithmeticIntensity())
                .isCloseTo((double) analysis.flops() / (analysis.bytesRead() + analysis.bytesWritten()), within(1e-12));
        assertThat(analysis.assumptions()).isEmpty();
    }

    @Test
    void saysWhichSizesItAssumed() {
        Analysis analysis = analyze(Onnx.mlp(256, 512, 10), Map.of());

        assertThat(analysis.flops()).isEqualTo(2L * 256 * 512 + 512 + 2L * 512 * 10);
        assertThat(analysis.assumptions()).containsExactly("variable sizes taken as 1: batch");
    }

    @Test
    void theFirstConvolutionOfAResNet() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 1, 3, 224, 224)
                .output("y", ElementType.FLOAT, 1, 64, 56, 56)
                .weights("w", 64, 3, 7, 7)
                .node("Conv", List.of("x", "w"), "c", Onnx.ints("strides", 2, 2), Onnx.ints("pads", 3, 3, 3, 3))
                .node("Relu", List.of("c"), "r")
                .node(
                        "MaxPool",
                        List.of("r"),
                        "y",
                        Onnx.ints("kernel_shape", 3, 3),
                        Onnx.ints("strides", 2, 2),
                        Onnx.ints("pads", 1, 1, 1, 1))
                .build();
        Analysis analysis = analyze(model, Map.of());

        assertThat(only(analysis, "Conv").flops()).isEqualTo(2L * 64 * 112 * 112 * 3 * 7 * 7);
        assertThat(only(analysis, "Conv").outputShape()).isEqualTo("[1, 64, 112, 112]");
        assertThat(only(analysis, "MaxPool").flops()).isEqualTo(64L * 56 * 56 * 9);
        assertThat(only(analysis, "MaxPool").outputShape()).isEqualTo("[1, 64, 56, 56]");
    }

    @Test
    void groupsAndTransposedConvolutions() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 2, 32, 14, 14)
                .output("y", ElementType.FLOAT, 2, 16, 28, 28)
                .weights("depth", 32, 1, 3, 3)
                .weights("up", 32, 16, 2, 2)
                .node("Conv", List.of("x", "depth"), "d", Onnx.integer("group", 32), Onnx.ints("pads", 1, 1, 1, 1))
                .node("ConvTranspose", List.of("d", "up"), "y", Onnx.ints("strides", 2, 2))
                .build();
        Analysis analysis = analyze(model, Map.of());

        assertThat(only(analysis, "Conv").flops()).isEqualTo(2L * (2 * 32 * 14 * 14) * 9);
        assertThat(only(analysis, "ConvTranspose").flops()).isEqualTo(2L * (2 * 32 * 14 * 14) * 16 * 4);
        assertThat(only(analysis, "ConvTranspose").outputShape()).isEqualTo("[2, 16, 28, 28]");
    }

    @Test
    void aTransformerBlockWithItsShapesComputedByNodes() {
        long b = 2;
        long s = 16;
        long d = 64;
        long heads = 4;
        Analysis analysis = analyze(TransformerBlock.model(d, heads), Map.of("batch", b, "length", s));

        long projections = 4 * (2 * b * s * d * d);
        long scores = 2 * b * heads * s * s * (d / heads);
        long context = 2 * b * heads * s * s * (d / heads);
        long feedForward = 2 * (2 * b * s * d * 4 * d);
        long products = analysis.operators().stream()
                .filter(row -> row.op().equals("MatMul"))
                .mapToLong(OperatorCost::flops)
                .sum();
        assertThat(products).isEqualTo(projections + scores + context + feedForward);
        assertThat(only(analysis, "Softmax").flops()).isEqualTo(5 * b * heads * s * s);
        assertThat(only(analysis, "Softmax").outputShape()).isEqualTo("[2, 4, 16, 16]");
        assertThat(only(analysis, "LayerNormalization").flops()).isEqualTo(8 * b * s * d);
        assertThat(analysis.unknownOps()).isEmpty();
        assertThat(analysis.assumptions()).isEmpty();
    }

    @Test
    void anLstm() {
        long s = 10;
        long b = 3;
        long in = 8;
        long h = 16;
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, s, b, in)
                .output("y", ElementType.FLOAT, s, 1, b, h)
                .weights("w", 1, 4 * h, in)
                .weights("r", 1, 4 * h, h)
                .node("LSTM", List.of("x", "w", "r"), "y", Onnx.integer("hidden_size", h))
                .build();
        assertThat(analyze(model, Map.of()).flops()).isEqualTo(s * b * (2 * 4 * h * (in + h) + 10 * 4 * h));
    }

    @Test
    void einsumCostsAsMuchAsItsMatrixProduct() {
        ModelProto model = new Onnx()
                .input("a", ElementType.FLOAT, 5, 7, 11)
                .input("b", ElementType.FLOAT, 5, 11, 13)
                .output("y", ElementType.FLOAT, 5, 7, 13)
                .node("Einsum", List.of("a", "b"), "y", Onnx.text("equation", "bij, bjk -> bik"))
                .build();
        Analysis analysis = analyze(model, Map.of());
        assertThat(analysis.flops()).isEqualTo(2L * 5 * 7 * 11 * 13);
        assertThat(only(analysis, "Einsum").outputShape()).isEqualTo("[5, 7, 13]");
    }

    @Test
    void aLoopCountsItsIterationsAndAConditionalItsCostlierBranch() {
        GraphProto body = new Onnx()
                .input("i", ElementType.INT64)
                .input("go", ElementType.BOOL)
                .input("v", ElementType.FLOAT, 4, 4)
                .output("go_on", ElementType.BOOL)
                .output("v_out", ElementType.FLOAT, 4, 4)
                .node("Identity", List.of("go"), "go_on")
                .node("MatMul", List.of("v", "v"), "v_out")
                .graph();
        GraphProto cheap = new Onnx()
                .output("a", ElementType.FLOAT, 4, 4)
                .node("Relu", List.of("x"), "a")
                .graph();
        GraphProto dear = new Onnx()
                .output("b", ElementType.FLOAT, 4, 4)
                .node("MatMul", List.of("x", "x"), "b")
                .graph();
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 4, 4)
                .input("which", ElementType.BOOL)
                .output("y", ElementType.FLOAT, 4, 4)
                .constant("rounds", 7)
                .node(
                        "If",
                        List.of("which"),
                        "start",
                        Onnx.subgraph("then_branch", cheap),
                        Onnx.subgraph("else_branch", dear))
                .node("Loop", List.of("rounds", "", "start"), "y", Onnx.subgraph("body", body))
                .build();

        Analysis analysis = analyze(model, Map.of());

        assertThat(analysis.flops()).isEqualTo(8 * (2 * 4 * 4 * 4));
        assertThat(analysis.operators()).extracting(OperatorCost::op).contains("MatMul");
    }

    @Test
    void viewsCostNothingAndKeepTheirOwnerAlive() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 4, 4)
                .output("y", ElementType.FLOAT, 16)
                .constant("flat", -1)
                .node("Relu", List.of("x"), "a")
                .node("Reshape", List.of("a", "flat"), "v")
                .node("Relu", List.of("v"), "y")
                .build();
        Analysis analysis = analyze(model, Map.of());

        assertThat(only(analysis, "Reshape").bytesRead()).isZero();
        // x; a, also as the view v; and y, because a result of the model has its own buffer.
        assertThat(analysis.peakMemoryBytes()).isEqualTo(3 * 64);
    }

    @Test
    void unknownOperatorsAreListedAndCountBytesOnly() {
        ModelProto model = new Onnx()
                .input("x", ElementType.FLOAT, 4)
                .output("y", ElementType.FLOAT, 4)
                .node("Blur", List.of("x"), "y")
                .build();
        Analysis analysis = analyze(model, Map.of());

        assertThat(analysis.unknownOps()).isEqualTo(Map.of("Blur", 1));
        assertThat(analysis.flops()).isZero();
        assertThat(analysis.bytesRead()).isEqualTo(16);
        assertThat(analysis.assumptions()).anyMatch(note -> note.contains("Blur"));
    }

    @Test
    void hugeSizesSaturate() {
        Analysis analysis = analyze(Onnx.dynamic(), Map.of("batch", 1L << 60, "length", 1L << 60));

        assertThat(analysis.flops()).isEqualTo(Long.MAX_VALUE);
        assertThat(analysis.suggestion().memoryBytes()).isPositive();
    }

    @Test
    void aSmallModelIsForTheCpuAndAHugeOneForTheGpu() {
        assertThat(analyze(Onnx.mlp(256, 512, 10), Map.of()).suggestion()).satisfies(small -> {
            assertThat(small.pool()).isEqualTo("cpu");
            assertThat(small.milliCpu()).isEqualTo(500);
            assertThat(small.memoryBytes()).isEqualTo(256L << 20);
        });
        assertThat(analyze(Onnx.mlp(512, 512, 512), Map.of("batch", 1L << 24))
                        .suggestion()
                        .pool())
                .isEqualTo("gpu");
    }

    @Test
    void theExpectedRateChoosesThePool() {
        Analysis analysis = analyze(Onnx.mlp(512, 512, 512), Map.of("batch", 1L << 14));

        assertThat(analysis.forMachine(Machine.ASSUMED).suggestion().pool()).isEqualTo("cpu");
        assertThat(analysis.forMachine(Machine.ASSUMED, 1000).suggestion()).satisfies(often -> {
            assertThat(often.pool()).isEqualTo("gpu");
            assertThat(often.reason()).contains("calls a second, here 1000");
        });
    }

    @Test
    void roundTripsAsJson() throws Exception {
        Analysis analysis = analyze(Onnx.mlp(8, 8, 8), Map.of());
        JsonNode json = new ObjectMapper().valueToTree(analysis);

        assertThat(json.path("flops").asLong()).isEqualTo(analysis.flops());
        assertThat(json.path("operators")).hasSize(3);
        assertThat(json.path("suggestion").path("pool").asText()).isEqualTo("cpu");
        assertThat(new ObjectMapper().treeToValue(json, Analysis.class)).isEqualTo(analysis);
        assertThat(analysis.summary().operators()).isEmpty();
        assertThat(analysis.summary().flops()).isEqualTo(analysis.flops());
    }
}
