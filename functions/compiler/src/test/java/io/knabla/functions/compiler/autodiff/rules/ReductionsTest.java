package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of reductions. */
class ReductionsTest {
    private static final String[] EXTREME = {"ReduceMax", "ReduceMin"};

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReduceSum",
                "ReduceMean",
                "ReduceProd",
                "ReduceL1",
                "ReduceL2",
                "ReduceLogSum",
                "ReduceLogSumExp",
                "ReduceSumSquare",
                "ReduceMax",
                "ReduceMin"
            })
    void along(String operator) {
        Attributes drop = Attributes.of("keepdims", 0);
        input(operator).fixed(NdArray.longs(-1)).symbolic(0, 0, 1).check(operator, drop);
        input(operator)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.op(operator, drop, in.getFirst(), code.ints(2, -3))));
        input(operator).symbolic(0, 0, 2).check((code, in) -> List.of(code.op(operator, in.getFirst(), code.ints(1))));
        input(operator).symbolic(0, 0, 2).check(operator);
        input(operator).symbolic(0, 0, 2).check(operator, drop);
    }

    private static RuleHarness input(String operator) {
        boolean extreme = List.of(EXTREME).contains(operator);
        return extreme ? new RuleHarness().spread(2, 3, 4) : new RuleHarness().uniform(0.5, 1.5, 2, 3, 4);
    }

    @Test
    void meanOfNoRows() {
        new RuleHarness()
                .normal(0, 4, 3)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.op("ReduceMean", in.getFirst(), code.ints(1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ReduceSum", "ReduceMax", "ReduceL2", "ReduceLogSumExp"})
    void alongNothing(String operator) {
        input(operator).symbolic(0, 0).check(operator, Attributes.of("noop_with_empty_axes", 1));
    }

    @Test
    void productOfZeros() {
        new RuleHarness()
                .differentiated(new int[] {4, 3}, 2, 0, 3, 0, 0, 5, 1, 2, 3, 0, 0, 0)
                .symbolic(0, 0)
                .check((code, in) -> List.of(code.op("ReduceProd", in.getFirst(), code.ints(1))));
        new RuleHarness()
                .differentiated(new int[] {4, 3}, 2, 0, 3, 0, 0, 5, 1, 2, 3, 0, 0, 0)
                .symbolic(0, 1)
                .onlyOnce()
                .check((code, in) -> List.of(code.op("ReduceProd", in.getFirst(), code.ints(1))));
    }
}
