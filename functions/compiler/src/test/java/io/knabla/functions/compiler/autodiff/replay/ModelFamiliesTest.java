package io.knabla.functions.compiler.autodiff.replay;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks the gradients of all inputs and parameters of whole models exported by PyTorch; no exceptions. */
class ModelFamiliesTest {
    private static final List<Fixture> CASES = Fixtures.read("/families/families.zip");
    private static final double TOLERANCE = 1e-5;

    /** Second derivatives pass through every operation twice. */
    private static final double SECOND = 1e-4;

    private static ReplayOutcomes vjp() {
        return ReplayOutcomes.of("families-vjp", CASES, c -> Replay.vjp(c, TOLERANCE));
    }

    private static ReplayOutcomes jvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("jvp")).toList();
        return ReplayOutcomes.of("families-jvp", cases, c -> Replay.jvp(c, TOLERANCE));
    }

    private static ReplayOutcomes hvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("hvp")).toList();
        return ReplayOutcomes.of("families-hvp", cases, c -> Replay.hvp(c, SECOND));
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return ReplayAssertions.tests(vjp());
    }

    @TestFactory
    Stream<DynamicTest> forwardMode() {
        return ReplayAssertions.tests(jvp());
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return ReplayAssertions.tests(hvp());
    }
}
