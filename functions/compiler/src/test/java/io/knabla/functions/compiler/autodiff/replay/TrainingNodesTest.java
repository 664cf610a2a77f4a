package io.knabla.functions.compiler.autodiff.replay;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks ONNX's own cases of its training operators: optimizers and Gradient, which the engine does not have. */
class TrainingNodesTest {
    private static final double TOLERANCE = 1e-5;

    @TestFactory
    Stream<DynamicTest> agrees() {
        var cases = Fixtures.read("/onnx/training.zip");
        return ReplayAssertions.tests(ReplayOutcomes.of("onnx-training", cases, c -> Replay.forward(c, TOLERANCE)));
    }
}
