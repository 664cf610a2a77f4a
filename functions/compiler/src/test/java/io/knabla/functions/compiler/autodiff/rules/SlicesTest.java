package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of Slice and Pad. */
class SlicesTest {
    /** Between, to and beyond the ends, forwards and backwards, some or none. */
    @ParameterizedTest
    @CsvSource({
        "0,9,1",
        "1,4,1",
        "-3,-1,1",
        "1,9223372036854775807,1",
        "0,7,3",
        "1,7,2",
        "-9,-1,4",
        "6,-9,-1",
        "5,0,-2",
        "-1,-9223372036854775807,-3",
        "9,1,-2",
        "6,7,2"
    })
    void slice(long start, long end, long step) {
        new RuleHarness()
                .normal(2, 7)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.square(code.op(
                        "Slice", in.getFirst(), code.ints(start), code.ints(end), code.ints(-1), code.ints(step)))));
    }

    @Test
    void emptySlice() {
        new RuleHarness().normal(2, 7).check((code, in) -> List.of(code.square(code.slice(in.getFirst(), 1, 4, 2))));
    }

    @ParameterizedTest
    @CsvSource({"1,5,1", "-3,7,2", "5,-9,-2"})
    void sliceKnownAtRunTime(long start, long end, long step) {
        new RuleHarness()
                .normal(7, 2)
                .fixed(NdArray.longs(start, 0))
                .fixed(NdArray.longs(end, 1))
                .fixed(NdArray.longs(0, 1))
                .fixed(NdArray.longs(step, 1))
                .symbolic(0, 0)
                .check("Slice");
        new RuleHarness()
                .normal(7, 2)
                .fixed(NdArray.longs(start))
                .fixed(NdArray.longs(end))
                .symbolic(0, 0)
                .check((code, in) ->
                        List.of(code.op("Slice", in.get(0), in.get(1), in.get(2), code.ints(0), code.ints(step))));
    }

    @Test
    void padWithAValue() {
        new RuleHarness()
                .normal(2, 3)
                .fixed(NdArray.longs(1, 0, 0, 2))
                .normal()
                .symbolic(0, 0, 1)
                .check("Pad");
    }

    @Test
    void padCropping() {
        new RuleHarness()
                .normal(2, 5)
                .symbolic(0, 0, 1)
                .check((code, in) ->
                        List.of(code.square(code.op("Pad", in.getFirst(), code.ints(-2, 1), null, code.ints(-1)))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"edge", "reflect", "wrap"})
    void padWithItself(String mode) {
        new RuleHarness()
                .normal(3, 4)
                .symbolic(0, 0, 1)
                .check((code, in) -> List.of(code.square(
                        code.op("Pad", Attributes.of("mode", mode), in.getFirst(), code.ints(1, 0, 2, 3)))));
    }
}
