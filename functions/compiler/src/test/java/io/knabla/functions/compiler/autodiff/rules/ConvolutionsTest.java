package io.knabla.functions.compiler.autodiff.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of convolutions, by every algorithm. */
class ConvolutionsTest {
    private static Attributes attributes(String pads, String strides, String dilations) {
        return Attributes.of("pads", list(pads)).with("strides", list(strides)).with("dilations", list(dilations));
    }

    private static List<Long> list(String numbers) {
        return java.util.Arrays.stream(numbers.split(" ")).map(Long::valueOf).toList();
    }

    /** Pads, strides, dilations; 7 by 6 leaves pixels over at a stride of 2 or 3. */
    @ParameterizedTest
    @CsvSource({
        "0 0 0 0, 1 1, 1 1",
        "1 1 1 1, 1 1, 1 1",
        "1 0 2 1, 1 1, 1 1",
        "1 1 1 1, 2 2, 1 1",
        "0 2 1 0, 3 2, 1 1",
        "1 2 1 2, 1 1, 2 2",
        "1 1 1 1, 2 3, 2 1",
        "3 3 3 3, 1 1, 1 1"
    })
    void plane(String pads, String strides, String dilations) {
        new RuleHarness()
                .normal(2, 2, 7, 6)
                .normal(3, 2, 3, 2)
                .normal(3)
                .symbolic(0, 0)
                .check("Conv", attributes(pads, strides, dilations));
    }

    @ParameterizedTest
    @CsvSource({"1 1 1 1, 1 1, 1 1", "1 0 1 1, 2 3, 1 1", "0 0 0 0, 1 1, 1 1"})
    void imagesOfAnySize(String pads, String strides, String dilations) {
        new RuleHarness()
                .normal(2, 2, 7, 6)
                .normal(3, 2, 3, 2)
                .symbolic(0, 0, 2, 3)
                .check("Conv", attributes(pads, strides, dilations));
    }

    @ParameterizedTest
    @CsvSource({"1 1 1 1, 1 1, 1 1", "1 0 1 1, 2 3, 1 1", "2 2 2 2, 1 1, 2 2"})
    void manyChannels(String pads, String strides, String dilations) {
        new RuleHarness()
                .normal(2, 9, 7, 6)
                .normal(8, 9, 3, 2)
                .symbolic(0, 0, 2, 3)
                .check("Conv", attributes(pads, strides, dilations));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void groups(int groups) {
        new RuleHarness()
                .normal(2, 4, 7, 6)
                .normal(8, 4 / groups, 3, 3)
                .normal(8)
                .symbolic(0, 0, 2, 3)
                .check("Conv", attributes("1 1 1 1", "2 2", "1 1").with("group", groups));
    }

    @Test
    void groupsOfManyChannels() {
        new RuleHarness()
                .normal(2, 8, 7, 6)
                .normal(12, 4, 3, 3)
                .symbolic(0, 0)
                .check("Conv", attributes("1 1 1 1", "1 1", "1 1").with("group", 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SAME_UPPER", "SAME_LOWER", "VALID"})
    void automaticPads(String auto) {
        new RuleHarness()
                .normal(2, 2, 7, 6)
                .normal(3, 2, 3, 2)
                .symbolic(0, 0)
                .check("Conv", Attributes.of("auto_pad", auto).with("strides", List.of(2L, 2L)));
    }

    /** Such a kernel is flipped before any run. */
    @ParameterizedTest
    @CsvSource({"1 1 1 1, 1 1, 1 1, 1", "2 0 1 1, 1 1, 2 1, 3"})
    void constantKernel(String pads, String strides, String dilations, int groups) {
        double[] weight =
                new java.util.Random(4).doubles(12 * 9 / groups * 6, -1, 1).toArray();
        new RuleHarness().normal(2, 9, 7, 6).symbolic(0, 0, 2, 3).check((code, in) -> {
            var constant = Constants.tensor(in.getFirst().element(), List.of(12L, 9L / groups, 3L, 2L), weight);
            return List.of(code.op(
                    "Conv",
                    attributes(pads, strides, dilations).with("group", groups),
                    in.getFirst(),
                    code.builder().constant(constant)));
        });
    }

    @Test
    void choicesHaveReasons() {
        var sizes = new ConvWeightGradient.Sizes(64, 9, 12544, 1);
        assertThat(ConvWeightGradient.choose(sizes).algorithm()).isEqualTo(ConvWeightGradient.Algorithm.TAPS);
        assertThat(ConvWeightGradient.choose(new ConvWeightGradient.Sizes(-1, 9, 12544, 1)))
                .isEqualTo(new ConvWeightGradient.Choice(
                        ConvWeightGradient.Algorithm.SWAP, "its sizes are known at run only"));
        assertThat(ConvWeightGradient.choose(new ConvWeightGradient.Sizes(3, 9, 784, 1))
                        .algorithm())
                .isEqualTo(ConvWeightGradient.Algorithm.PLANES);
        assertThat(ConvWeightGradient.choose(new ConvWeightGradient.Sizes(512, 9, 32, 1))
                        .algorithm())
                .isEqualTo(ConvWeightGradient.Algorithm.COLUMNS);
    }

    @Test
    void line() {
        new RuleHarness().normal(2, 3, 9).normal(4, 3, 3).symbolic(0, 0, 2).check("Conv", attributes("1 1", "2", "1"));
    }

    @Test
    void space() {
        new RuleHarness()
                .normal(1, 2, 4, 5, 4)
                .normal(3, 2, 2, 3, 2)
                .symbolic(0, 0)
                .check("Conv", attributes("1 0 1 0 1 0", "1 2 1", "1 1 1"));
    }

    @ParameterizedTest
    @EnumSource(ConvWeightGradient.Algorithm.class)
    void everyAlgorithmComputesTheWeightGradient(ConvWeightGradient.Algorithm way) {
        Window window = new Window(list("3 2"), list("2 1"), list("1 2"), list("1 0"), list("2 1"));
        new RuleHarness()
                .normal(2, 3, 7, 6)
                .normal(2, 4, 4, 5)
                .symbolic(0, 0)
                .symbolic(1, 0)
                .check((code, in) -> List.of(ConvWeightGradient.of(
                        new io.knabla.functions.compiler.autodiff.reverse.RuleContext(code.builder(), _ -> true, null),
                        new ConvWeightGradient.ConvTask(in.get(0), in.get(1), null, window, 1),
                        way)));
    }

    /** Pads, strides, dilations, output_padding. */
    @ParameterizedTest
    @CsvSource({"0 0 0 0, 1 1, 1 1, 0 0", "1 1 1 1, 2 2, 1 1, 1 1", "1 0 0 1, 3 2, 1 1, 2 0", "1 1 1 1, 2 1, 2 2, 0 0"})
    void transposed(String pads, String strides, String dilations, String extra) {
        new RuleHarness()
                .normal(2, 2, 4, 3)
                .normal(2, 3, 3, 2)
                .normal(3)
                .symbolic(0, 0, 2, 3)
                .check("ConvTranspose", attributes(pads, strides, dilations).with("output_padding", list(extra)));
    }

    @Test
    void transposedGroups() {
        new RuleHarness()
                .normal(2, 4, 4, 3)
                .normal(4, 3, 3, 3)
                .normal(6)
                .symbolic(0, 0, 2, 3)
                .check("ConvTranspose", attributes("1 1 1 1", "2 2", "1 1").with("group", 2));
    }

    @Test
    void transposedSpace() {
        new RuleHarness()
                .normal(1, 2, 2, 3, 2)
                .normal(2, 3, 2, 3, 2)
                .normal(3)
                .symbolic(0, 0)
                .check(
                        "ConvTranspose",
                        attributes("1 0 1 0 1 0", "2 1 3", "1 1 1").with("output_padding", list("1 0 2")));
    }

    /** Beyond what the patches reach. */
    @Test
    void transposedToALargeSize() {
        new RuleHarness()
                .normal(2, 2, 3, 3)
                .normal(2, 3, 3, 3)
                .symbolic(0, 0)
                .check(
                        "ConvTranspose",
                        Attributes.of("strides", List.of(3L, 2L)).with("output_shape", List.of(10L, 8L)));
    }

    @Test
    void transposedToASize() {
        new RuleHarness()
                .normal(2, 2, 4, 3)
                .normal(2, 3, 3, 3)
                .symbolic(0, 0)
                .check(
                        "ConvTranspose",
                        Attributes.of("strides", List.of(2L, 2L)).with("output_shape", List.of(8L, 6L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SAME_UPPER", "SAME_LOWER"})
    void transposedWithAutomaticPads(String auto) {
        new RuleHarness()
                .normal(2, 2, 4, 3)
                .normal(2, 3, 3, 4)
                .symbolic(0, 0)
                .check("ConvTranspose", Attributes.of("auto_pad", auto).with("strides", List.of(2L, 2L)));
    }
}
