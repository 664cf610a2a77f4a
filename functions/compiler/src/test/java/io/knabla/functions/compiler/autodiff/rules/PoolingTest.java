package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of pooling. */
class PoolingTest {
    private static List<Long> list(String numbers) {
        return java.util.Arrays.stream(numbers.split(" ")).map(Long::valueOf).toList();
    }

    private static Attributes attributes(String kernel, String pads, String strides, int ceil) {
        return Attributes.of("kernel_shape", list(kernel))
                .with("pads", list(pads))
                .with("strides", list(strides))
                .with("ceil_mode", ceil);
    }

    /** Kernel, pads, strides, ceil_mode. */
    @ParameterizedTest
    @CsvSource({
        "2 2, 0 0 0 0, 2 2, 0",
        "3 2, 1 0 1 1, 1 1, 0",
        "3 3, 1 1 1 1, 2 2, 0",
        "2 3, 0 0 0 0, 2 2, 1",
        "3 3, 1 1 1 1, 2 3, 1"
    })
    void max(String kernel, String pads, String strides, int ceil) {
        new RuleHarness()
                .spread(2, 2, 7, 6)
                .symbolic(0, 0, 2)
                .check("MaxPool", attributes(kernel, pads, strides, ceil));
    }

    @Test
    void maxWithGapsInTheWindow() {
        new RuleHarness()
                .spread(2, 2, 7, 6)
                .symbolic(0, 0)
                .check("MaxPool", attributes("2 2", "1 1 1 1", "1 2", 0).with("dilations", list("2 3")));
    }

    @Test
    void maxOfALineAndOfASpace() {
        new RuleHarness().spread(2, 3, 9).check("MaxPool", attributes("3", "1 1", "2", 0));
        new RuleHarness().spread(1, 2, 4, 5, 4).check("MaxPool", attributes("2 2 2", "0 0 0 0 0 0", "2 1 2", 0));
    }

    @Test
    void maxWithColumnMajorIndices() {
        new RuleHarness()
                .spread(2, 2, 4, 6)
                .check("MaxPool", attributes("2 2", "0 0 0 0", "2 2", 0).with("storage_order", 1));
    }

    @ParameterizedTest
    @CsvSource({
        "2 2, 0 0 0 0, 2 2, 0",
        "2 3, 0 0 0 0, 2 3, 0",
        "3 2, 1 0 1 1, 1 1, 0",
        "3 3, 1 1 1 1, 2 2, 0",
        "2 3, 0 0 0 0, 2 2, 1",
        "3 3, 1 1 1 1, 2 3, 1"
    })
    void average(String kernel, String pads, String strides, int ceil) {
        for (int all = 0; all < 2; all++) {
            new RuleHarness()
                    .normal(2, 2, 8, 6)
                    .symbolic(0, 0)
                    .check(
                            "AveragePool",
                            attributes(kernel, pads, strides, ceil).with("count_include_pad", all));
        }
    }

    @ParameterizedTest
    @CsvSource({"2 2, 0 0 0 0, 2 2", "3 2, 1 0 1 1, 1 1", "3 3, 1 1 1 1, 2 2"})
    void averageOfAnySize(String kernel, String pads, String strides) {
        new RuleHarness()
                .normal(2, 2, 7, 6)
                .symbolic(0, 0, 1, 2, 3)
                .check("AveragePool", attributes(kernel, pads, strides, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void power(int p) {
        new RuleHarness()
                .spread(2, 2, 7, 6)
                .symbolic(0, 0)
                .check("LpPool", attributes("3 2", "1 0 1 1", "2 1", 0).with("p", p));
        new RuleHarness().spread(2, 2, 3, 3).symbolic(0, 0, 2).check("GlobalLpPool", Attributes.of("p", p));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GlobalAveragePool", "GlobalMaxPool"})
    void global(String operator) {
        new RuleHarness().spread(2, 3, 4, 5).symbolic(0, 0, 1, 2, 3).check(operator);
    }

    @Test
    void maxUnpool() {
        new RuleHarness().spread(2, 2, 4, 6).check((code, in) -> {
            Attributes window = attributes("2 2", "0 0 0 0", "2 2", 0);
            var pooled = code.op("MaxPool", window, in.getFirst()).producer().orElseThrow();
            Attributes same = window.without("ceil_mode");
            return List.of(code.op("MaxUnpool", same, pooled.output(0), pooled.output(1)));
        });
    }
}
