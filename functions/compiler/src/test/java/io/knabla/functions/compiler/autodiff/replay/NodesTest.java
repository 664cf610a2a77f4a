package io.knabla.functions.compiler.autodiff.replay;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares the gradients of ONNX's own single-operator cases to directional finite differences. */
class NodesTest {
    private static final List<Fixture> CASES = Fixtures.read("/onnx/nodes.zip");
    private static final double FLOOR = 0.9;

    private static ReplayOutcomes dots() {
        return ReplayOutcomes.of("onnx-nodes", CASES, DotProductCheck::of);
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return ReplayAssertions.tests(dots(), "/onnx/refused.txt");
    }

    @Test
    void coverage() {
        assumeFalse(Fixtures.partial());

        ReplayAssertions.atLeast(dots(), FLOOR);
    }
}
