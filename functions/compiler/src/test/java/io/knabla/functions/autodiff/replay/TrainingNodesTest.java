package io.knabla.functions.autodiff.replay;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** ONNX's own data for its training operators: optimizers and Gradient, which the engine does not have. */
class TrainingNodesTest {
    private static final double TOLERANCE = 1e-5;

    @TestFactory
    Stream<DynamicTest> agrees() {
        var cases = Fixtures.read("/onnx/training.zip");
        return Replayed.tests(Coverage.of("onnx-training", cases, c -> Replay.forward(c, TOLERANCE)));
    }
}
