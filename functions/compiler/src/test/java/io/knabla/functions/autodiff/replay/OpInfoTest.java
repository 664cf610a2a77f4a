package io.knabla.functions.autodiff.replay;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * PyTorch's OpInfo entries: their derivatives in ONNX Runtime against PyTorch's in float64. One entry alone:
 * {@code -Dtest=OpInfoTest -Dcase='nn_functional_conv*'}.
 */
class OpInfoTest {
    private static final List<Fixture> CASES = Fixtures.read("/opinfo/opinfo.zip");
    private static final double TOLERANCE = 1e-4;

    /** Parts of all exportable entries that must agree. */
    private static final double FLOOR = 0.95;

    private static final double FORWARD_FLOOR = 0.95;
    private static final double SECOND_FLOOR = 0.95;

    private static Coverage vjp() {
        return Coverage.of("opinfo-vjp", CASES, c -> Replay.vjp(c, tolerance(c)));
    }

    private static Coverage jvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("jvp")).toList();
        return Coverage.of("opinfo-jvp", cases, c -> Replay.jvp(c, tolerance(c)));
    }

    private static Coverage hvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("hvp")).toList();
        return Coverage.of("opinfo-hvp", cases, c -> Replay.hvp(c, 10 * tolerance(c)));
    }

    /** PyTorch's own float32 answer may be further off than ours need be. */
    private static double tolerance(Fixture fixture) {
        return Math.max(TOLERANCE, 4 * fixture.error32());
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return Replayed.tests(vjp(), "/opinfo/refused-vjp.txt");
    }

    @TestFactory
    Stream<DynamicTest> forwardMode() {
        return Replayed.tests(jvp(), "/opinfo/refused-jvp.txt");
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return Replayed.tests(hvp(), "/opinfo/refused-hvp.txt");
    }

    @Test
    void coverage() {
        assumeFalse(Fixtures.partial());

        Replayed.atLeast(vjp(), FLOOR);
        Replayed.atLeast(jvp(), FORWARD_FLOOR);
        Replayed.atLeast(hvp(), SECOND_FLOOR);
    }
}
