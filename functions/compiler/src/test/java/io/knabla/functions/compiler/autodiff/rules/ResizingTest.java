package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of Resize and of moves between channels and space. */
class ResizingTest {
    private static final List<String> COORDINATES =
            List.of("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric");

    private static void scaled(RuleHarness harness, Attributes attributes, double... scales) {
        harness.check((code, in) -> {
            var constant = Constants.tensor(ElementType.FLOAT, List.of((long) scales.length), scales);
            return List.of(code.op(
                    "Resize", attributes, in.getFirst(), null, code.builder().constant(constant)));
        });
    }

    @ParameterizedTest
    @CsvSource({"linear,2,1.5", "linear,0.6,2", "cubic,2,1.5", "nearest,1.5,0.5"})
    void everyCoordinateMode(String mode, double height, double width) {
        for (String coordinates : COORDINATES) {
            scaled(
                    new RuleHarness().normal(2, 3, 5, 4).symbolic(0, 0, 1),
                    Attributes.of("mode", mode).with("coordinate_transformation_mode", coordinates),
                    1,
                    1,
                    height,
                    width);
        }
    }

    @ParameterizedTest
    @CsvSource({"asymmetric,floor", "half_pixel,round_prefer_floor", "asymmetric,ceil"})
    void repeatedPixels(String coordinates, String rounding) {
        scaled(
                new RuleHarness().normal(2, 3, 5, 4).symbolic(0, 0, 1),
                Attributes.of("mode", "nearest")
                        .with("coordinate_transformation_mode", coordinates)
                        .with("nearest_mode", rounding),
                1,
                1,
                2,
                3);
    }

    @Test
    void repeatedPixelsOfAnySize() {
        scaled(
                new RuleHarness().normal(2, 3, 5, 4).symbolic(0, 0, 1, 2, 3),
                Attributes.of("mode", "nearest")
                        .with("coordinate_transformation_mode", "asymmetric")
                        .with("nearest_mode", "floor"),
                1,
                1,
                2,
                3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"linear", "nearest", "cubic"})
    void toSizes(String mode) {
        new RuleHarness()
                .normal(2, 3, 5, 4)
                .check((code, in) -> List.of(code.op(
                        "Resize", Attributes.of("mode", mode), in.getFirst(), null, null, code.ints(2, 3, 7, 8))));
    }

    @Test
    void alongOneAxis() {
        scaled(
                new RuleHarness().normal(2, 3, 5).symbolic(0, 0),
                Attributes.of("mode", "linear").with("axes", List.of(-1L)),
                1.6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DCR", "CRD"})
    void blocks(String mode) {
        new RuleHarness()
                .normal(2, 8, 2, 3)
                .symbolic(0, 0, 2)
                .check("DepthToSpace", Attributes.of("blocksize", 2).with("mode", mode));
        new RuleHarness().normal(2, 2, 4, 6).symbolic(0, 0, 2).check("SpaceToDepth", Attributes.of("blocksize", 2));
    }
}
