package io.knabla.runtime.check;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.functions.unit.RowsFinding;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.units.TestUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks units whose rows depend on each other, and units whose rows do not, on the real engine. */
class RowsCheckTest {
    private static RowsCheckResult check(ModelProto model, String spec) throws Exception {
        try (var unit = TestUnit.of(model, spec);
                var engine = Engine.open(unit.folder(), unit.manifest(), EngineSettings.DEFAULTS)) {
            return RowsCheck.check(engine, unit.manifest());
        }
    }

    private static RowsCheckResult check(ModelProto model) throws Exception {
        return check(model, "");
    }

    private static Onnx rows(Object... dims) {
        return new Onnx().input("x", FLOAT, dims).output("y", FLOAT, dims);
    }

    @Test
    void rowsOfANetworkAreIndependent() throws Exception {
        assertThat(check(Onnx.mlp(64, 128, 4))).isEqualTo(RowsCheckResult.INDEPENDENT);
    }

    @Test
    void rowsOfAnyLengthAreIndependent() throws Exception {
        assertThat(check(rows("n", "length")
                        .node("Softmax", List.of("x"), "y", Onnx.integer("axis", 1))
                        .build()))
                .isEqualTo(RowsCheckResult.INDEPENDENT);
    }

    @Test
    void rowsOfAFixedSizeAreJoinedOnceThatItMayVary() throws Exception {
        ModelProto model = rows(1, 4).node("Softmax", List.of("x"), "y").build();

        assertThat(check(model, "shapes: {x: [-1, 4], y: [-1, 4]}")).isEqualTo(RowsCheckResult.INDEPENDENT);
    }

    @Test
    void aDynamicScaleIsTakenOverAllRows() throws Exception {
        RowsCheckResult found = check(Onnx.mlp(64, 128, 4), "quantize: {type: Dynamic}");

        assertThat(found.finding()).isEqualTo(RowsFinding.DEPENDENT);
        assertThat(found.reason()).containsPattern("output 'y' is -?[0-9.e-]+ alone and -?[0-9.e-]+ beside rows");
    }

    @Test
    void aMeanOverTheBatchIsSeen() throws Exception {
        assertThat(check(rows("n", 4)
                        .node("ReduceMean", List.of("x"), "m", Onnx.ints("axes", 0))
                        .node("Sub", List.of("x", "m"), "y")
                        .build()))
                .extracting(RowsCheckResult::finding)
                .isEqualTo(RowsFinding.DEPENDENT);
    }

    @Test
    void aNumberOfRowsIsSeen() throws Exception {
        assertThat(check(rows("n", 4)
                        .node("Shape", List.of("x"), "shape", Onnx.integer("end", 1))
                        .node("Cast", List.of("shape"), "count", Onnx.integer("to", FLOAT.number()))
                        .node("Mul", List.of("x", "count"), "y")
                        .build()))
                .extracting(RowsCheckResult::finding)
                .isEqualTo(RowsFinding.DEPENDENT);
    }

    @Test
    void aClassThatDependsOnOtherRowsIsSeen() throws Exception {
        assertThat(check(new Onnx()
                        .input("x", FLOAT, "n", 4)
                        .output("rank", INT64, "n")
                        .node("ReduceMax", List.of("x"), "largest", Onnx.ints("axes", 1), Onnx.integer("keepdims", 0))
                        .node("ReduceMax", List.of("largest"), "first")
                        .node("Equal", List.of("largest", "first"), "is")
                        .node("Cast", List.of("is"), "rank", Onnx.integer("to", INT64.number()))
                        .build()))
                .extracting(RowsCheckResult::finding)
                .isEqualTo(RowsFinding.DEPENDENT);
    }

    @Test
    void outputsWithoutARowForEachRowCannotBeSplit() throws Exception {
        assertThat(check(new Onnx()
                        .input("x", FLOAT, null, 4)
                        .output("y", FLOAT, null, 4)
                        .node("Concat", List.of("x", "x"), "y", Onnx.integer("axis", 0))
                        .build()))
                .isEqualTo(RowsCheckResult.inseparable("y", 6, 3));
    }

    @Test
    void randomAnswersAreNotChecked() throws Exception {
        assertThat(check(rows("n", 4)
                        .node("RandomUniformLike", List.of("x"), "noise")
                        .node("Add", List.of("x", "noise"), "y")
                        .build()))
                .isEqualTo(RowsCheckResult.notChecked(
                        "two runs of the same rows have different answers, as with operators of random numbers"));
    }

    @Test
    void aModelThatRefusesTheSampleRowsIsNotChecked() throws Exception {
        RowsCheckResult found = check(rows("n", "length")
                .constant("shape", -1, 11)
                .node("Reshape", List.of("x", "shape"), "y")
                .build());

        assertThat(found.finding()).isEqualTo(RowsFinding.NOT_CHECKED);
        assertThat(found.reason())
                .startsWith("it does not run on sample rows: ")
                .contains("Reshape");
    }

    @Test
    void answersThatAreNoNumbersTellNothing() throws Exception {
        assertThat(check(rows("n", 4)
                        .node("Neg", List.of("x"), "minus")
                        .node("Sqrt", List.of("minus"), "y")
                        .build()))
                .isEqualTo(RowsCheckResult.notChecked("its answers to sample rows are not finite numbers"));
    }

    @Test
    void aModelOfFixedSizeJoinsNothing() throws Exception {
        assertThat(check(Onnx.addSub())).extracting(RowsCheckResult::finding).isEqualTo(RowsFinding.NOT_JOINED);
    }
}
