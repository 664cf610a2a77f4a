package io.knabla.functions.compiler.autodiff.replay;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares derivatives of PyTorch's OpInfo entries in ONNX Runtime to PyTorch's in float64. To run one entry alone:
 * {@code -Dtest=OpInfoTest -Dcase='nn_functional_conv*'}.
 */
class OpInfoTest {
    private static final List<Fixture> CASES = Fixtures.read("/opinfo/opinfo.zip");
    private static final double TOLERANCE = 1e-4;

    /** Parts of all exportable entries that must agree. */
    private static final double FLOOR = 0.95;

    private static final double FORWARD_FLOOR = 0.95;
    private static final double SECOND_FLOOR = 0.95;

    private static ReplayOutcomes vjp() {
        return ReplayOutcomes.of("opinfo-vjp", CASES, c -> Replay.vjp(c, tolerance(c)));
    }

    private static ReplayOutcomes jvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("jvp")).toList();
        return ReplayOutcomes.of("opinfo-jvp", cases, c -> Replay.jvp(c, tolerance(c)));
    }

    private static ReplayOutcomes hvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("hvp")).toList();
        return ReplayOutcomes.of("opinfo-hvp", cases, c -> Replay.hvp(c, 10 * tolerance(c)));
    }

    /** PyTorch's float32 result may have a larger error than ours is allowed. */
    private static double tolerance(Fixture fixture) {
        return Math.max(TOLERANCE, 4 * fixture.error32());
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return ReplayAssertions.tests(vjp(), "/opinfo/refused-vjp.txt");
    }

    @TestFactory
    Stream<DynamicTest> forwardMode() {
        return ReplayAssertions.tests(jvp(), "/opinfo/refused-jvp.txt");
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return ReplayAssertions.tests(hvp(), "/opinfo/refused-hvp.txt");
    }

    @Test
    void coverage() {
        assumeFalse(Fixtures.partial());

        ReplayAssertions.atLeast(vjp(), FLOOR);
        ReplayAssertions.atLeast(jvp(), FORWARD_FLOOR);
        ReplayAssertions.atLeast(hvp(), SECOND_FLOOR);
    }
}
