package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.BOOL;
import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import io.knabla.functions.Onnx;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same in subgraphs and local functions, where ONNX Runtime alone refuses it or answers wrong values. */
@Timeout(300)
class PassedThroughBodiesTest {
    private static final String X = "x: FP32 [2] [1.5,-2.0]";
    private static final String TRIPS = "m: INT64 [] [3]";

    private static ModelProto choice(Onnx model, List<String> outputs, GraphProto then, GraphProto otherwise) {
        return model.input("x", FLOAT, "n")
                .input("c", BOOL)
                .node(
                        "If",
                        List.of("c"),
                        outputs,
                        Onnx.subgraph("then_branch", then),
                        Onnx.subgraph("else_branch", otherwise))
                .build();
    }

    /** A body of Loop with these values carried. */
    private static Onnx body(String... carried) {
        Onnx body = new Onnx().input("i", INT64).input("go", BOOL).output("go", BOOL);
        for (String value : carried) {
            body.input(value, FLOAT, "n");
        }
        return body;
    }

    private static ModelProto loop(Onnx model, List<String> inputs, List<String> outputs, GraphProto body) {
        return model.input("x", FLOAT, "n")
                .input("m", INT64)
                .node("Neg", List.of("x"), "minus")
                .node("Loop", inputs, outputs, Onnx.subgraph("body", body))
                .build();
    }

    private static ModelProto scan(GraphProto body) {
        return new Onnx()
                .input("x", FLOAT, "n")
                .input("z", FLOAT)
                .output("q", FLOAT)
                .output("y", FLOAT, "n")
                .node(
                        "Scan",
                        List.of("z", "x"),
                        List.of("q", "y"),
                        Onnx.subgraph("body", body),
                        Onnx.integer("num_scan_inputs", 1))
                .build();
    }

    @Test
    void branchReturnsAValueOfTheOuterGraph() throws Exception {
        GraphProto same = new Onnx().output("x", FLOAT, "n").graph();
        GraphProto negative = new Onnx()
                .output("e", FLOAT, "n")
                .node("Neg", List.of("x"), "e")
                .graph();
        ModelProto model = choice(new Onnx().output("y", FLOAT, "n"), List.of("y"), same, negative);

        assertThat(Answers.of(model, X, "c: BOOL [] [true]")).containsExactly("y=[1.5,-2.0]");
        assertThat(Answers.of(model, X, "c: BOOL [] [false]")).containsExactly("y=[-1.5,2.0]");
    }

    @Test
    void branchReturnsOneValueTwice() throws Exception {
        GraphProto negative = new Onnx()
                .output("e", FLOAT, "n")
                .output("e", FLOAT, "n")
                .node("Neg", List.of("x"), "e")
                .graph();
        ModelProto model = choice(
                new Onnx().output("y", FLOAT, "n").output("z", FLOAT, "n"), List.of("y", "z"), negative, negative);

        assertThat(Answers.of(model, X, "c: BOOL [] [true]")).containsExactly("y=[-1.5,2.0]", "z=[-1.5,2.0]");
    }

    @Test
    void nestedBranchReturnsAValueOfTheOutermostGraph() throws Exception {
        GraphProto same = new Onnx().output("x", FLOAT, "n").graph();
        GraphProto nested = new Onnx()
                .output("d", FLOAT, "n")
                .node("If", List.of("c"), "d", Onnx.subgraph("then_branch", same), Onnx.subgraph("else_branch", same))
                .graph();
        ModelProto model = choice(new Onnx().output("y", FLOAT, "n"), List.of("y"), nested, same);

        assertThat(Answers.of(model, X, "c: BOOL [] [true]")).containsExactly("y=[1.5,-2.0]");
    }

    @Test
    void loopStacksItsOwnInputs() throws Exception {
        GraphProto body = body("v")
                .output("v", FLOAT, "n")
                .output("i", INT64)
                .output("v", FLOAT, "n")
                .graph();
        ModelProto model = loop(
                new Onnx().output("y", FLOAT, "n").output("s", INT64, "k").output("t", FLOAT, "k", "n"),
                List.of("m", "", "x"),
                List.of("y", "s", "t"),
                body);

        assertThat(Answers.of(model, X, TRIPS))
                .containsExactly("y=[1.5,-2.0]", "s=[0,1,2]", "t=[1.5,-2.0,1.5,-2.0,1.5,-2.0]");
    }

    @Test
    void loopSwapsWhatItCarries() throws Exception {
        GraphProto body = body("v", "u")
                .output("u", FLOAT, "n")
                .output("v", FLOAT, "n")
                .output("u", FLOAT, "n")
                .graph();
        ModelProto model = loop(
                new Onnx().output("y", FLOAT, "n").output("z", FLOAT, "n").output("s", FLOAT, "k", "n"),
                List.of("m", "", "x", "minus"),
                List.of("y", "z", "s"),
                body);

        assertThat(Answers.of(model, X, TRIPS))
                .containsExactly("y=[-1.5,2.0]", "z=[1.5,-2.0]", "s=[-1.5,2.0,1.5,-2.0,-1.5,2.0]");
    }

    @Test
    void loopReturnsAValueOfTheOuterGraph() throws Exception {
        GraphProto body = body("v").output("minus", FLOAT, "n").graph();
        ModelProto model = loop(new Onnx().output("y", FLOAT, "n"), List.of("m", "", "x"), List.of("y"), body);

        assertThat(Answers.of(model, X, TRIPS)).containsExactly("y=[-1.5,2.0]");
        assertThat(Answers.of(model, X, "m: INT64 [] [0]")).containsExactly("y=[1.5,-2.0]");
    }

    @Test
    void scanHandsItsInputsOn() throws Exception {
        GraphProto body = new Onnx()
                .input("s", FLOAT)
                .input("e", FLOAT)
                .output("s", FLOAT)
                .output("e", FLOAT)
                .graph();

        assertThat(Answers.of(scan(body), X, "z: FP32 [] [3.0]")).containsExactly("q=[3.0]", "y=[1.5,-2.0]");
    }

    @Test
    void scanReturnsOneValueTwice() throws Exception {
        GraphProto body = new Onnx()
                .input("s", FLOAT)
                .input("e", FLOAT)
                .output("t", FLOAT)
                .output("t", FLOAT)
                .node("Add", List.of("s", "e"), "t")
                .graph();

        assertThat(Answers.of(scan(body), X, "z: FP32 [] [3.0]")).containsExactly("q=[2.5]", "y=[4.5,2.5]");
    }

    @Test
    void scanReturnsAnInitializer() throws Exception {
        GraphProto body = new Onnx()
                .input("s", FLOAT)
                .input("e", FLOAT)
                .output("k", FLOAT)
                .output("k", FLOAT)
                .initializer(Onnx.floats("k", 1))
                .graph();
        String k = Float.toString((float) (new java.util.Random(1).nextGaussian() * 0.05));

        assertThat(Answers.of(scan(body), X, "z: FP32 [] [3.0]"))
                .containsExactly("q=[" + k + "]", "y=[" + k + "," + k + "]");
    }

    @Test
    void functionHandsItsInputsOn() throws Exception {
        FunctionProto function = FunctionProto.newBuilder()
                .setName("Swap")
                .setDomain("local")
                .addAllInput(List.of("a", "b"))
                .addAllOutput(List.of("b", "a", "c", "c"))
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .addNode(NodeProto.newBuilder().setOpType("Neg").addInput("a").addOutput("c"))
                .build();
        ModelProto model = new Onnx()
                .domain("local", 1)
                .input("x", FLOAT, "n")
                .input("k", INT64, "n")
                .output("p", INT64, "n")
                .output("q", FLOAT, "n")
                .output("r", FLOAT, "n")
                .output("s", FLOAT, "n")
                .node(NodeProto.newBuilder()
                        .setDomain("local")
                        .setOpType("Swap")
                        .addAllInput(List.of("x", "k"))
                        .addAllOutput(List.of("p", "q", "r", "s"))
                        .build())
                .build();

        assertThat(Answers.of(model.toBuilder().addFunctions(function).build(), X, "k: INT64 [2] [4,5]"))
                .containsExactly("p=[4,5]", "q=[1.5,-2.0]", "r=[-1.5,2.0]", "s=[-1.5,2.0]");
    }
}
