package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the derivative rule of DFT. */
class FourierTest {
    /** Real and complex, forwards and backwards, halves, cut and lengthened. */
    @ParameterizedTest
    @CsvSource({
        "5,1,0,0,0",
        "5,2,0,0,0",
        "5,2,1,0,0",
        "5,1,1,0,0",
        "5,1,0,1,0",
        "6,1,0,1,0",
        "5,1,0,0,7",
        "5,2,1,0,3",
        "6,1,0,1,8",
        "6,1,0,1,5"
    })
    void transform(int points, int parts, long inverse, long oneSided, long length) {
        var harness = new RuleHarness().normal(2, points, parts);
        harness = length > 0 ? harness.fixed(NdArray.scalar(ElementType.INT64, length)) : harness.absent();
        harness.symbolic(0, 0, 1).check("DFT", Attributes.of("inverse", inverse).with("onesided", oneSided));
    }
}
