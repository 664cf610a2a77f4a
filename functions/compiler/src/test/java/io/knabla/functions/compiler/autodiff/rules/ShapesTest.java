package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the derivative rules of operators that reshape, reorder, join, split or repeat elements. */
class ShapesTest {
    @Test
    void reshape() {
        new RuleHarness()
                .normal(2, 6)
                .symbolic(0, 0)
                .check((code, in) -> List.of(code.square(code.op("Reshape", in.getFirst(), code.ints(-1, 3)))));
    }

    @Test
    void flatten() {
        new RuleHarness().normal(2, 3, 2).symbolic(0, 0, 1).check("Flatten", Attributes.of("axis", 2));
    }

    @Test
    void squeezeAndUnsqueeze() {
        new RuleHarness()
                .normal(2, 1, 3)
                .symbolic(0, 0)
                .check((code, in) -> List.of(code.square(code.squeeze(in.getFirst(), -2))));
        new RuleHarness()
                .normal(2, 3)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.square(code.unsqueeze(in.getFirst(), 0, -1))));
    }

    @Test
    void transpose() {
        new RuleHarness()
                .normal(2, 3, 4)
                .symbolic(0, 0, 2)
                .check("Transpose", Attributes.of("perm", List.of(2L, 0L, 1L)));
        new RuleHarness().normal(2, 3, 4).check("Transpose");
    }

    @Test
    void expand() {
        new RuleHarness()
                .normal(3, 1)
                .fixed(NdArray.longs(2, 1, 4))
                .symbolic(0, 0)
                .check("Expand");
    }

    @Test
    void concat() {
        new RuleHarness()
                .normal(2, 1)
                .normal(2, 3)
                .symbolic(0, 0)
                .symbolic(1, 1)
                .check("Concat", Attributes.of("axis", -1));
        new RuleHarness()
                .normal(1, 2)
                .fixed(NdArray.filled(ElementType.DOUBLE, new int[] {3, 2}, 2))
                .symbolic(1, 0)
                .check("Concat", Attributes.of("axis", 0));
        new RuleHarness()
                .fixed(NdArray.filled(ElementType.DOUBLE, new int[] {3, 2}, 2))
                .normal(1, 2)
                .symbolic(0, 0)
                .check("Concat", Attributes.of("axis", 0));
    }

    @Test
    void splitWithUnusedPart() {
        new RuleHarness().normal(6, 2).symbolic(0, 0, 1).check((code, in) -> {
            var parts = code.split(in.getFirst(), 0, List.of(1L, 3L, 2L));
            return List.of(parts.get(0), code.square(parts.get(2)));
        });
    }

    @Test
    void tile() {
        new RuleHarness()
                .normal(2, 3)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.square(code.op("Tile", in.getFirst(), code.ints(2, 1)))));
        new RuleHarness()
                .normal(2, 3)
                .fixed(NdArray.longs(3, 2))
                .symbolic(0, 0, 1)
                .check("Tile");
    }

    @Test
    void trilu() {
        new RuleHarness()
                .normal(2, 3, 4)
                .fixed(NdArray.scalar(ElementType.INT64, 1))
                .symbolic(0, 1)
                .check("Trilu", Attributes.of("upper", 0));
        new RuleHarness().normal(3, 3).check("Trilu");
    }

    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "1,0", "1,1"})
    void cumSum(long reverse, long exclusive) {
        new RuleHarness()
                .normal(2, 4)
                .fixed(NdArray.scalar(ElementType.INT64, 1))
                .symbolic(0, 0, 1)
                .check("CumSum", Attributes.of("reverse", reverse).with("exclusive", exclusive));
    }

    @Test
    void reverseSequence() {
        new RuleHarness()
                .normal(4, 3, 2)
                .fixed(NdArray.longs(2, 4, 1))
                .symbolic(0, 0)
                .check("ReverseSequence");
    }
}
