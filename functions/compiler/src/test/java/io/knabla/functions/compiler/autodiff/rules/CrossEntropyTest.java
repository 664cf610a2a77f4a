package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.onnx.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the derivative rules of losses over class labels. */
class CrossEntropyTest {
    private static final NdArray LABELS = NdArray.whole(ElementType.INT64, new int[] {4}, 0, 2, 1, 2);
    private static final NdArray SPATIAL = NdArray.whole(ElementType.INT64, new int[] {2, 2}, 0, 2, 1, 2);

    @ParameterizedTest
    @CsvSource({
        "SoftmaxCrossEntropyLoss,mean", "SoftmaxCrossEntropyLoss,sum", "SoftmaxCrossEntropyLoss,none",
        "NegativeLogLikelihoodLoss,mean", "NegativeLogLikelihoodLoss,sum", "NegativeLogLikelihoodLoss,none"
    })
    void loss(String operator, String reduction) {
        Attributes plain = Attributes.of("reduction", reduction);
        int outputs = operator.startsWith("Softmax") ? 2 : 1;
        new RuleHarness()
                .normal(4, 3)
                .fixed(LABELS)
                .symbolic(0, 0)
                .symbolic(1, 0)
                .check(operator, plain, outputs);
        new RuleHarness()
                .normal(2, 3, 2)
                .fixed(SPATIAL)
                .uniform(1, 2, 3)
                .symbolic(0, 0, 2)
                .symbolic(1, 0, 1)
                .check(operator, plain.with("ignore_index", 2), outputs);
    }
}
