package io.knabla.functions.autodiff.replay;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** ONNX's own cases of single operators, their gradients against directional finite differences. */
class NodesTest {
    private static final List<Fixture> CASES = Fixtures.read("/onnx/nodes.zip");
    private static final double FLOOR = 0.9;

    private static Coverage dots() {
        return Coverage.of("onnx-nodes", CASES, DotCheck::of);
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return Replayed.tests(dots(), "/onnx/refused.txt");
    }

    @Test
    void coverage() {
        assumeFalse(Fixtures.partial());

        Replayed.atLeast(dots(), FLOOR);
    }
}
