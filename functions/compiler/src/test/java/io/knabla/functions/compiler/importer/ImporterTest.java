package io.knabla.functions.compiler.importer;

import static io.knabla.functions.Onnx.integer;
import static io.knabla.functions.Onnx.subgraph;
import static io.knabla.functions.Onnx.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Import of functions, branches, loops and sequences. */
class ImporterTest {
    private static final ElementType FLOAT = ElementType.FLOAT;

    private final Onnx onnx = new Onnx()
            .input("x", FLOAT, 2, 3)
            .output("y", FLOAT, null, null)
            .constant("one", 1)
            .constant("five", 5)
            .constant("axis", 0);

    private static NodeProto node(String domain, String op, List<String> inputs, String output) {
        return NodeProto.newBuilder()
                .setDomain(domain)
                .setOpType(op)
                .addAllInput(inputs)
                .addOutput(output)
                .build();
    }

    private static NodeProto node(String op, List<String> inputs, String output) {
        return node("", op, inputs, output);
    }

    private static FunctionProto function(String name, NodeProto... nodes) {
        return FunctionProto.newBuilder()
                .setDomain("own")
                .setName(name)
                .addInput("a")
                .addOutput("b")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1))
                .addAllNode(List.of(nodes))
                .build();
    }

    private static Dag read(ModelProto model) {
        ImportResult imported = Importer.read(Model.of(model));
        assertThat(imported).as("%s", imported).isInstanceOf(ImportResult.Success.class);
        return ((ImportResult.Success) imported).dag();
    }

    private static List<String> problems(ModelProto model) {
        return ((ImportResult.Refused) Importer.read(Model.of(model)))
                .problems().stream().map(Object::toString).toList();
    }

    /** The lowered model computes what the original does. */
    private static Dag agrees(ModelProto model) throws OrtException {
        Dag dag = read(model);
        var feeds = Map.of("x", NdArray.floats(new int[] {2, 3}, 1, -2, 3, 0.5, -1, 2));
        NdArray expected = OnnxRuntime.run(model, feeds).get("y");
        NdArray found = OnnxRuntime.run(Exporter.write(dag), feeds).get("y");
        assertThat(found.type()).isEqualTo(expected.type());
        assertThat(found.reals()).containsExactly(expected.reals(), within(1e-6));
        return dag;
    }

    private static List<String> types(Dag dag) {
        return dag.ops().stream().map(Op::type).toList();
    }

    @Test
    void inlinesNestedFunctions() throws OrtException {
        NodeProto reduce = node("ReduceSum", List.of("t"), "s").toBuilder()
                .addAttribute(AttributeProto.newBuilder()
                        .setName("keepdims")
                        .setRefAttrName("keep")
                        .setType(AttributeProto.AttributeType.INT))
                .build();
        FunctionProto inner =
                function("Inner", node("Tanh", List.of("a"), "t"), reduce, node("Neg", List.of("s"), "b")).toBuilder()
                        .addAttribute("keep")
                        .build();
        NodeProto call = node("own", "Inner", List.of("e"), "b").toBuilder()
                .addAttribute(integer("keep", 1))
                .build();
        FunctionProto outer = function("Outer", node("Exp", List.of("a"), "e"), call);
        ModelProto model = onnx.domain("own", 1).node(node("own", "Outer", List.of("x"), "y")).build().toBuilder()
                .addFunctions(inner)
                .addFunctions(outer)
                .build();

        assertThat(types(agrees(model))).containsExactly("Exp", "Tanh", "ReduceSum", "Neg");
    }

    @Test
    void passesOmittedInputsIntoFunctions() throws OrtException {
        FunctionProto clip = function("Above", node("Clip", List.of("a", "low", "high"), "b")).toBuilder()
                .addInput("low")
                .addInput("high")
                .build();
        ModelProto model = onnx
                .domain("own", 1)
                .node(node("ReduceMax", List.of("x"), "most").toBuilder()
                        .addAttribute(integer("keepdims", 0))
                        .build())
                .node(node("own", "Above", List.of("x", "", "most"), "y"))
                .build()
                .toBuilder()
                .addFunctions(clip)
                .build();

        assertThat(types(agrees(model))).containsExactly("ReduceMax", "Clip");
    }

    @Test
    void rejectsRecursiveFunctions() {
        FunctionProto loop =
                function("Again", node("own", "Again", List.of("a"), "c"), node("own", "Again", List.of("c"), "b"));
        ModelProto model = onnx.domain("own", 1).node(node("own", "Again", List.of("x"), "y")).build().toBuilder()
                .addFunctions(loop)
                .build();

        assertThat(problems(model)).hasSize(2).allMatch(p -> p.contains("calls itself"));
    }

    private static GraphProto graph(String output, NodeProto... nodes) {
        return GraphProto.newBuilder()
                .setName(output)
                .addAllNode(List.of(nodes))
                .addOutput(value(output, FLOAT, null, null))
                .build();
    }

    @Test
    void takesBranchWithKnownCondition() throws OrtException {
        ModelProto model = onnx.node("Size", List.of("x"), "n")
                .node("Greater", List.of("n", "five"), "many")
                .node(
                        "If",
                        List.of("many"),
                        "y",
                        subgraph("then_branch", graph("t", node("Exp", List.of("x"), "t"))),
                        subgraph("else_branch", graph("e", node("Neg", List.of("x"), "e"))))
                .build();

        assertThat(types(agrees(model))).containsExactly("Exp");
    }

    @Test
    void keepsBothOutputsOfABranchThatListsOneTwice() {
        GraphProto twice = graph("t", node("Neg", List.of("x"), "t")).toBuilder()
                .addOutput(value("t", FLOAT, 2, 3))
                .build();
        ModelProto model = onnx.input("c", ElementType.BOOL)
                .output("z", FLOAT, 2, 3)
                .node(
                        "If",
                        List.of("c"),
                        List.of("y", "z"),
                        subgraph("then_branch", twice),
                        subgraph("else_branch", twice))
                .build();
        NdArray x = NdArray.floats(new int[] {2, 3}, 1, 2, 3, 4, 5, 6);

        Map<String, NdArray> found =
                DagEvaluator.run(read(model), Map.of("x", x, "c", NdArray.scalar(ElementType.BOOL, 1)));

        assertThat(found)
                .hasSize(2)
                .allSatisfy((_, array) -> assertThat(array.reals()).containsExactly(-1, -2, -3, -4, -5, -6));
    }

    private static GraphProto body(String condition) {
        return GraphProto.newBuilder()
                .setName("body")
                .addInput(value("i", ElementType.INT64))
                .addInput(value("go", ElementType.BOOL))
                .addInput(value("before", FLOAT, 2, 3))
                .addNode(node("Tanh", List.of("before"), "after"))
                .addNode(node("Add", List.of("after", "x"), "each"))
                .addNode(node("Less", List.of("i", "one"), "early"))
                .addNode(node("Identity", List.of("go"), "on"))
                .addOutput(value(condition, ElementType.BOOL))
                .addOutput(value("each", FLOAT, 2, 3))
                .addOutput(value("after", FLOAT, 2, 3))
                .build();
    }

    private ModelProto loop(String rounds, String condition) {
        return onnx.node("Loop", List.of(rounds, "", "x"), List.of("last", "all"), subgraph("body", body(condition)))
                .node("ReduceSum", List.of("all", "axis"), "sum", integer("keepdims", 0))
                .node("Add", List.of("sum", "last"), "y")
                .build();
    }

    @Test
    void unrollsShortLoop() throws OrtException {
        List<String> types = types(agrees(loop("five", "on")));

        assertThat(types).doesNotContain("Loop");
        assertThat(types.stream().filter("Tanh"::equals)).hasSize(5);
    }

    @Test
    void unrollsLoopThatEndsByKnownCondition() throws OrtException {
        assertThat(types(agrees(loop("", "early"))).stream().filter("Tanh"::equals))
                .hasSize(2);
    }

    @Test
    void keepsLongLoop() throws OrtException {
        onnx.constant("many", 300);

        assertThat(types(agrees(loop("many", "on")))).contains("Loop");
    }

    @Test
    void removesSequences() throws OrtException {
        ModelProto model = onnx.node("SplitToSequence", List.of("x"), "rows", integer("axis", 1))
                .node("SequenceAt", List.of("rows", "one"), "second")
                .node("SequenceErase", List.of("rows", "axis"), "rest")
                .node("SequenceInsert", List.of("rest", "second", "axis"), "again")
                .node("ConcatFromSequence", List.of("again"), "y", integer("axis", 1))
                .build();

        assertThat(types(agrees(model))).containsOnly("Split", "Concat");
    }

    @Test
    void reportsAllProblems() {
        ModelProto model = onnx.node("Squeeze", List.of("x"), "a", Onnx.ints("axes", 9))
                .node("Transpose", List.of("x"), "b", Onnx.ints("perm", 0))
                .node("SequenceConstruct", List.of("x"), "s")
                .node("Add", List.of("a", "b"), "c")
                .node("Relu", List.of("s"), "y")
                .build();

        assertThat(problems(model))
                .satisfiesExactly(
                        p -> assertThat(p).contains("'squeeze0' Squeeze").contains("axis 9"),
                        p -> assertThat(p).contains("Transpose").contains("orders 1 axes"),
                        p -> assertThat(p).contains("Relu").contains("sequence"));
    }

    @Test
    void findsLoweredValuesByName() {
        Dag dag = read(onnx.node("GlobalMaxPool", List.of("z"), "y")
                .node("Relu", List.of("y"), "w")
                .input("z", FLOAT, 1, 2, 4)
                .build());

        assertThat(dag.find("y").orElseThrow().producer("ReduceMax")).isPresent();
    }
}
