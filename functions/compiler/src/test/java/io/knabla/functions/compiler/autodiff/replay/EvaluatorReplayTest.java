package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the evaluator in plain Java to the engine, on whole models and on the cases of PyTorch and ONNX. */
class EvaluatorReplayTest {
    private static final double TOLERANCE = 1e-5;

    /** Cases that the evaluator does not support, by a part of its message. */
    private static final List<String> BEYOND = List.of(
            "AffineGrid",
            "Bernoulli",
            "CenterCropPad",
            "DeformConv",
            "GridSample",
            "STFT",
            "TensorScatter",
            "ai.onnx.ml.",
            "Resize with antialias or kept aspect",
            "this coordinate_transformation_mode",
            "Unique along an axis");

    /** The logarithm of a sigmoid near 0, which the engine computes as a rational function. */
    private static final Set<String> APPROXIMATED =
            Set.of("nn_functional_binary_cross_entropy_with_logits", "nn_functional_multilabel_soft_margin_loss");

    @TestFactory
    Stream<DynamicTest> onnxCases() {
        return tests("/onnx/nodes.zip");
    }

    @TestFactory
    Stream<DynamicTest> opInfo() {
        return tests("/opinfo/opinfo.zip");
    }

    @TestFactory
    Stream<DynamicTest> families() {
        return tests("/families/families.zip");
    }

    private static Stream<DynamicTest> tests(String zip) {
        return Fixtures.read(zip).stream()
                .map(fixture -> DynamicTest.dynamicTest(fixture.name(), () -> agrees(fixture)));
    }

    private static void agrees(Fixture fixture) throws OrtException {
        if (!(Importer.read(Model.of(fixture.model())) instanceof ImportResult.Success(var dag))) {
            Assumptions.abort("not read");
            return;
        }
        Map<String, NdArray> found = run(dag, fixture.inputs());
        Map<String, NdArray> expected = OnnxRuntime.run(fixture.model(), fixture.inputs());
        double tolerance = APPROXIMATED.contains(fixture.name()) ? 100 * TOLERANCE : TOLERANCE;
        Outcome outcome = RelativeError.of(found, "", "", expected, tolerance);
        assertThat(outcome).as(fixture.name()).isInstanceOf(Outcome.Agrees.class);
    }

    private static Map<String, NdArray> run(Dag dag, Map<String, NdArray> inputs) {
        try {
            return DagEvaluator.run(dag, inputs);
        } catch (EvaluationException refused) {
            Assumptions.assumeFalse(BEYOND.stream().anyMatch(refused.getMessage()::contains), refused::getMessage);
            throw refused;
        }
    }
}
