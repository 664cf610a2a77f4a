package io.knabla.functions.autodiff.replay;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whole models exported by PyTorch: the gradients of all their inputs and parameters; no exceptions. */
class FamiliesTest {
    private static final List<Fixture> CASES = Fixtures.read("/families/families.zip");
    private static final double TOLERANCE = 1e-5;

    /** Second derivatives pass through every operation twice. */
    private static final double SECOND = 1e-4;

    private static Coverage vjp() {
        return Coverage.of("families-vjp", CASES, c -> Replay.vjp(c, TOLERANCE));
    }

    private static Coverage jvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("jvp")).toList();
        return Coverage.of("families-jvp", cases, c -> Replay.jvp(c, TOLERANCE));
    }

    private static Coverage hvp() {
        List<Fixture> cases = CASES.stream().filter(c -> c.has("hvp")).toList();
        return Coverage.of("families-hvp", cases, c -> Replay.hvp(c, SECOND));
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return Replayed.tests(vjp());
    }

    @TestFactory
    Stream<DynamicTest> forwardMode() {
        return Replayed.tests(jvp());
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return Replayed.tests(hvp());
    }
}
