package io.knabla.functions.compiler.interpreter;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Folding of constants, known shapes and branches, and its limits. */
class ConstantFoldingTest {
    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Value x =
            builder.input("x", TensorType.of(ElementType.FLOAT, new Shape(List.of(new Dim.Symbol("n"), Dim.of(4)))));

    private Dag dag(Value y, Map<String, Value> initializers) {
        return new Dag(builder, Map.of("x", x), Map.of("y", y), initializers, Map.of());
    }

    private static List<String> left(Dag dag) {
        return ConstantFolding.fold(dag).ops().stream().map(Op::type).toList();
    }

    @Test
    void foldsArithmeticOnConstants() {
        Value two = code.sqrt(code.add(code.scalar(ElementType.FLOAT, 1), code.scalar(ElementType.FLOAT, 3)));

        Dag folded = ConstantFolding.fold(dag(code.op("Pow", x, two), Map.of()));

        assertThat(folded.ops()).extracting(Op::type).containsExactly("Pow");
        assertThat(folded.ops().getFirst().input(1).scalarConstant()).contains(2.0);
    }

    @Test
    void foldsKnownPartsOfShape() {
        Value width = code.gather(code.op("Shape", x), code.ints(1), 0);
        Value y = code.op("Reshape", x, code.concat(0, code.ints(-1), code.op("Div", width, code.ints(2))));

        assertThat(left(dag(y, Map.of()))).containsExactly("Reshape");
    }

    @Test
    void keepsShapeKnownOnlyAtRunTime() {
        assertThat(left(dag(code.op("Shape", x), Map.of()))).containsExactly("Shape");
    }

    @Test
    void keepsParameters() {
        Value w = builder.initializer(
                NdArray.filled(ElementType.FLOAT, new int[] {3, 4}, 1).toProto("w"));
        Value y = code.matmul(x, code.transpose(w, 1, 0));

        assertThat(left(dag(y, Map.of("w", w)))).containsExactly("Transpose", "MatMul");
    }

    @Test
    void replacesIfByBranchThatIsAlwaysTaken() {
        Body yes = builder.body(List.of(), _ -> List.of(code.exp(x)));
        Body no = builder.body(List.of(), _ -> List.of(code.neg(x)));
        Value condition = code.less(code.integer(3), code.integer(2));
        var choice = new Op.Spec(
                "", "", "If", Attributes.NONE, List.of(condition), Map.of("then_branch", yes, "else_branch", no));

        assertThat(left(dag(builder.op(choice, 1).output(), Map.of()))).containsExactly("Neg");
    }

    @Test
    void keepsLargeExpensiveAndRandomOperations() {
        Value large = code.fill(code.ints(1000, 1000), ElementType.FLOAT, 1);
        Value absurd = code.fill(code.ints(1L << 40, 1L << 40), ElementType.FLOAT, 1);
        Value random = code.op("RandomNormalLike", code.scalar(ElementType.FLOAT, 1));

        assertThat(left(dag(code.matmul(x, large), Map.of()))).contains("Expand");
        assertThat(left(dag(code.matmul(x, absurd), Map.of()))).contains("Expand");
        assertThat(left(dag(code.mul(x, random), Map.of()))).contains("RandomNormalLike");
    }

    @Test
    void stopsWhenBudgetIsSpent() {
        Value y = x;
        for (int i = 0; i < 50; i++) {
            y = code.add(y, code.sqrt(code.scalar(ElementType.FLOAT, i)));
        }

        Dag folded = ConstantFolding.fold(dag(y, Map.of()), new Budget(100, 20));

        assertThat(folded.ops()).extracting(Op::type).filteredOn("Sqrt"::equals).hasSizeBetween(30, 45);
    }

    @Test
    void keepsInvalidOperations() {
        Value bad = code.op(
                "Reshape",
                builder.constant(NdArray.floats(new int[] {3}, 1, 2, 3).toProto("")),
                code.ints(2, 2));

        assertThat(left(dag(code.add(x, bad), Map.of()))).contains("Reshape");
    }

    @Test
    void keepsIfWithInvalidCondition() {
        Value text = builder.constant(
                ai.onnx.proto.OnnxMl.TensorProto.newBuilder().setDataType(8).build());
        Body yes = builder.body(List.of(), _ -> List.of(code.exp(x)));
        Body no = builder.body(List.of(), _ -> List.of(code.neg(x)));
        var choice = new Op.Spec(
                "", "", "If", Attributes.NONE, List.of(text), Map.of("then_branch", yes, "else_branch", no));

        assertThat(left(dag(builder.op(choice, 1).output(), Map.of()))).contains("If");
    }

    @Test
    void importFoldsModel() {
        var model = new Onnx()
                .opset(20)
                .input("x", ElementType.FLOAT, "n", 6)
                .output("y", ElementType.FLOAT, "n", 3)
                .constant("two", 2)
                .constant("one", 1)
                .node("Shape", List.of("x"), "shape")
                .node("Gather", List.of("shape", "one"), "width")
                .node("Div", List.of("width", "two"), "half")
                .node("Sub", List.of("one", "two"), "rest")
                .node("Concat", List.of("rest", "half"), "to", Onnx.integer("axis", 0))
                .node("Reshape", List.of("x", "to"), "y")
                .build();

        var read = (Importer.ImportResult.Success) Importer.read(Model.of(model));

        assertThat(read.dag().ops()).extracting(Op::type).containsExactly("Reshape");
    }
}
