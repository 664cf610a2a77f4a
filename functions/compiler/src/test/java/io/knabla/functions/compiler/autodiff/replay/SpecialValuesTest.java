package io.knabla.functions.compiler.autodiff.replay;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks points at which a careless formula overflows or divides zero by zero; no exceptions. */
class SpecialValuesTest {
    private static final List<Fixture> CASES = Fixtures.read("/special/special.zip");
    private static final double TOLERANCE = 1e-5;

    @TestFactory
    Stream<DynamicTest> gradients() {
        return tests(ReplayOutcomes.of("special-vjp", CASES, c -> Replay.vjp(c, TOLERANCE)));
    }

    @TestFactory
    Stream<DynamicTest> forwardMode() {
        return tests(ReplayOutcomes.of("special-jvp", CASES, c -> Replay.jvp(c, 10 * TOLERANCE)));
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return tests(ReplayOutcomes.of("special-hvp", CASES, c -> Replay.hvp(c, 100 * TOLERANCE)));
    }

    private static Stream<DynamicTest> tests(ReplayOutcomes coverage) {
        return ReplayAssertions.tests(coverage);
    }
}
