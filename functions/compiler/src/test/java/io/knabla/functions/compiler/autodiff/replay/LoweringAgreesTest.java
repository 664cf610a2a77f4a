package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.ShapeInference;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks that every fixture computes the same in the engine after import, lowering and export, and that each output has
 * its inferred type.
 */
class LoweringAgreesTest {
    private static final double TOLERANCE = 1e-5;

    /** Cases with inputs or outputs that are not tensors, or with a loop that ends depending on data. */
    private static final Set<String> REFUSED = Set.of("test_scan_sum", "test_optional_get_element_optional_tensor");

    /** Beside these, operators of other domains have no shape rules. */
    private static final Set<String> UNTYPED = Set.of(
            "test_scan_sum",
            "test_optional_get_element_optional_tensor",
            "test_ai_onnx_ml_array_feature_extractor",
            "test_ai_onnx_ml_tree_ensemble_set_membership");

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

    /** Types inferred without those that the files state for their inner values and outputs. */
    @TestFactory
    Stream<DynamicTest> inferredWithoutLowering() {
        return Stream.of("/onnx/nodes.zip", "/opinfo/opinfo.zip", "/families/families.zip")
                .flatMap(zip -> Fixtures.read(zip).stream())
                .map(f -> DynamicTest.dynamicTest(f.name(), () -> inferred(f)));
    }

    private static void inferred(Fixture fixture) {
        ModelProto.Builder model = fixture.model().toBuilder();
        model.getGraphBuilder().clearValueInfo().clearOutput();
        Map<String, TensorType> types = ShapeInference.types(Model.of(model.build()));
        fixture.outputs().forEach((name, array) -> {
            TensorType type = types.get(name);
            String what = fixture.name() + ": " + name + " " + type;
            if (!UNTYPED.contains(fixture.name())) {
                assertThat(type.element()).as(what).isEqualTo(array.element());
            }
            type.shape().ifPresent(shape -> fits(what, shape, array));
        });
    }

    private static void fits(String what, Shape inferred, NdArray array) {
        assertThat(inferred.rank()).as(what).isEqualTo(array.rank());
        for (int i = 0; i < array.rank(); i++) {
            assertThat(inferred.dim(i).or(array.dim(i))).as(what).isEqualTo(array.dim(i));
        }
    }

    private static Stream<DynamicTest> tests(String zip) {
        return Fixtures.read(zip).stream()
                .map(fixture -> DynamicTest.dynamicTest(fixture.name(), () -> agrees(fixture)));
    }

    private static void agrees(Fixture fixture) {
        ModelProto model = fixture.model();
        ImportResult imported = Importer.read(Model.of(model));

        if (imported instanceof ImportResult.Refused(var problems)) {
            assertThat(REFUSED).as("%s: %s", fixture.name(), problems).contains(fixture.name());
            return;
        }
        Dag dag = ((ImportResult.Success) imported).dag();
        Map<String, NdArray> expected = run(fixture, model);
        Map<String, NdArray> found = run(fixture, Exporter.write(dag));
        assertThat(found.keySet()).containsAll(expected.keySet());
        var sizes = new HashMap<String, Dim>();
        dag.inputs().forEach((name, v) -> bind(sizes, v, fixture.inputs().get(name)));
        found.forEach((name, a) -> typed(fixture.name(), dag.outputs().get(name), a, sizes));
        Outcome outcome = RelativeError.of(found, "", "", expected, TOLERANCE);
        assertThat(outcome).as(fixture.name()).isInstanceOf(Outcome.Agrees.class);
    }

    private static Map<String, NdArray> run(Fixture fixture, ModelProto model) {
        try {
            return OnnxRuntime.run(model, fixture.inputs());
        } catch (OrtException refused) {
            throw new AssertionError(fixture.name() + ": " + refused.getMessage(), refused);
        }
    }

    /** Values of the named sizes of an input in this run. */
    private static void bind(Map<String, Dim> sizes, Value input, NdArray array) {
        for (int i = 0; i < array.rank(); i++) {
            if (input.dim(i) instanceof Dim.Symbol(var name)) {
                sizes.put(name, Dim.of(array.dim(i)));
            }
        }
    }

    private static void typed(String name, Value value, NdArray array, Map<String, Dim> sizes) {
        assertThat(array.element()).as("%s: %s", name, value).isEqualTo(value.element());
        Shape inferred = value.shape().orElseThrow(() -> new AssertionError(name + ": no rank of " + value));
        Shape actual = array.type().shape().orElseThrow();
        assertThat(inferred.rank()).as("%s: %s", name, value).isEqualTo(actual.rank());
        for (int i = 0; i < actual.rank(); i++) {
            Dim dim = inferred.dim(i).substitute(s -> sizes.getOrDefault(s.name(), Dim.UNKNOWN));
            assertThat(dim.fixed() ? dim : actual.dim(i))
                    .as("%s: %s", name, value)
                    .isEqualTo(actual.dim(i));
        }
    }
}
