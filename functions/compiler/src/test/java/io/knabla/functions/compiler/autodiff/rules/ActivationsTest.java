package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.Attributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of activations. */
class ActivationsTest {
    @ParameterizedTest
    @CsvSource({"Softmax,-1", "Softmax,1", "LogSoftmax,-1", "LogSoftmax,0"})
    void softmax(String operator, int axis) {
        new RuleHarness().normal(2, 3, 4).symbolic(0, 0).check(operator, Attributes.of("axis", axis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "tanh"})
    void gelu(String approximate) {
        new RuleHarness().normal(3, 4).symbolic(0, 0).check("Gelu", Attributes.of("approximate", approximate));
    }

    @Test
    void mish() {
        new RuleHarness().normal(3, 4).symbolic(0, 0).check("Mish");
    }

    @Test
    void celu() {
        new RuleHarness().spread(3, 4).check("Celu", Attributes.of("alpha", 1.5));
    }

    @Test
    void swish() {
        new RuleHarness().normal(3, 4).withoutEngine().check("Swish", Attributes.of("alpha", 1.25));
    }

    @Test
    void shrink() {
        new RuleHarness()
                .spread(3, 4)
                .check("Shrink", Attributes.of("lambd", 0.31).with("bias", 0.25));
    }
}
