package io.knabla.functions.compiler.autodiff.rules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the derivative rule of Det. */
class DeterminantsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void ofABatch(int size) {
        new RuleHarness().normal(2, size, size).symbolic(0, 0).check("Det");
    }

    @Test
    void ofASingularMatrix() {
        new RuleHarness()
                .differentiated(new int[] {3, 3}, 1, 2, 3, 2, 4, 6, 0, 1, 5)
                .check("Det");
    }
}
