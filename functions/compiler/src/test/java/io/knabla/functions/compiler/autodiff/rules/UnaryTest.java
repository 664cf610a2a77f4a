package io.knabla.functions.compiler.autodiff.rules;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rules of functions of one variable. */
class UnaryTest {
    @ParameterizedTest
    @ValueSource(strings = {"Exp", "Sin", "Tanh", "Sigmoid", "Erf", "Softplus", "Softsign", "Cos", "Atan"})
    void smooth(String operator) {
        new RuleHarness().normal(3, 4).symbolic(0, 0).check(operator);
    }
}
