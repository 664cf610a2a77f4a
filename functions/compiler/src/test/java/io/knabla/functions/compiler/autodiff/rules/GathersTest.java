package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of gather and scatter operators. */
class GathersTest {
    private static NdArray indices(int[] dims, long... values) {
        return NdArray.whole(ElementType.INT64, dims, values);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1})
    void gather(int axis) {
        new RuleHarness()
                .normal(3, 4, 5)
                .fixed(indices(new int[] {2, 2}, 0, 2, 2, -1))
                .symbolic(0, 0, 1)
                .check("Gather", Attributes.of("axis", axis));
        new RuleHarness()
                .normal(3, 4, 5)
                .fixed(indices(new int[] {}, -2))
                .symbolic(0, 0, 1)
                .check("Gather", Attributes.of("axis", axis));
    }

    @Test
    void gatherOne() {
        new RuleHarness()
                .normal(3, 4)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.square(code.gather(in.getFirst(), code.integer(1), 1))));
    }

    @Test
    void gatherElements() {
        new RuleHarness()
                .normal(3, 4)
                .fixed(indices(new int[] {2, 3}, 0, 2, 2, -1, 0, 0))
                .symbolic(0, 0, 1)
                .check("GatherElements", Attributes.of("axis", 1));
    }

    @Test
    void gatherNd() {
        new RuleHarness()
                .normal(3, 4)
                .fixed(indices(new int[] {3, 1}, 0, 2, 2))
                .symbolic(0, 0, 1)
                .check("GatherND");
        new RuleHarness()
                .normal(2, 3, 4)
                .fixed(indices(new int[] {2, 3, 2, 1}, 0, 2, 2, 1, 0, 0, 3, 3, 1, 2, 2, 0))
                .symbolic(0, 0, 1)
                .check("GatherND", Attributes.of("batch_dims", 2));
    }

    @Test
    void topK() {
        new RuleHarness()
                .spread(3, 5)
                .fixed(NdArray.longs(2))
                .symbolic(0, 0, 1)
                .check("TopK", Attributes.of("axis", 1).with("largest", 0), 2);
    }

    @Test
    void compress() {
        NdArray mask = NdArray.whole(ElementType.BOOL, new int[] {3}, 1, 0, 1);
        new RuleHarness().normal(4, 3).fixed(mask).symbolic(0, 0).check("Compress", Attributes.of("axis", 1));
        new RuleHarness().normal(2, 2).fixed(mask).symbolic(0, 0).check("Compress");
    }

    @Test
    void oneHot() {
        new RuleHarness()
                .fixed(indices(new int[] {2, 2}, 0, 2, 1, 1))
                .fixed(NdArray.scalar(ElementType.INT64, 3))
                .normal(2)
                .symbolic(0, 0)
                .check("OneHot");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "add", "mul", "max", "min"})
    void scatterElements(String reduction) {
        NdArray at = reduction.equals("none")
                ? indices(new int[] {2, 2}, 0, 3, -2, 1)
                : indices(new int[] {2, 2}, 0, 0, 2, 0);
        new RuleHarness()
                .spread(3, 4)
                .fixed(at)
                .uniform(1, 2, 2, 2)
                .symbolic(0, 0, 1)
                .check("ScatterElements", Attributes.of("axis", 1).with("reduction", reduction));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "add", "mul", "max", "min"})
    void scatterNd(String reduction) {
        NdArray at = reduction.equals("none") ? indices(new int[] {2, 1}, 2, 0) : indices(new int[] {2, 1}, 1, 1);
        new RuleHarness()
                .spread(3, 4)
                .fixed(at)
                .uniform(0, 1, 2, 4)
                .symbolic(0, 0, 1)
                .check("ScatterND", Attributes.of("reduction", reduction));
    }

    @Test
    void scatterByFactorsOfZero() {
        new RuleHarness()
                .differentiated(new int[] {3}, 0, 2, 0)
                .fixed(indices(new int[] {4}, 0, 1, 1, 2))
                .differentiated(new int[] {4}, 3, 0, 5, 0)
                .onlyOnce()
                .check("ScatterElements", Attributes.of("axis", 0).with("reduction", "mul"));
    }
}
