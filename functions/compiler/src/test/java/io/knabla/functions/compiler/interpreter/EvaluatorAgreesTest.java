package io.knabla.functions.compiler.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnxruntime.OrtException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares every operator of the evaluator with ONNX Runtime on random samples. */
class EvaluatorAgreesTest {
    private static final int USES = 25;

    /** The engine has no kernel for these on this element type or this opset; other tests cover them. */
    private static final List<String> ELSEWHERE = List.of("Constant");

    private static Map<String, Consumer<Sample>> uses() {
        var uses = new LinkedHashMap<String, Consumer<Sample>>();
        ElementUses.put(uses);
        LayoutUses.put(uses);
        ReduceUses.put(uses);
        WindowUses.put(uses);
        return uses;
    }

    /** For these operators the engine computes or reads attributes in single precision. */
    private static final Set<String> SINGLE =
            Set.of("Gelu", "Shrink", "HammingWindow", "BlackmanWindow", "GroupNormalization", "DFT");

    /** The operator of a use; the text after a blank distinguishes its uses. */
    private static String op(String use) {
        return use.split(" ")[0];
    }

    @TestFactory
    Stream<DynamicTest> agrees() {
        return uses().entrySet().stream()
                .map(use -> DynamicTest.dynamicTest(use.getKey(), () -> {
                    for (int seed = 0; seed < USES; seed++) {
                        var sample = new Sample(new Random(seed));
                        use.getValue().accept(sample);
                        compare(op(use.getKey()), sample, seed);
                    }
                }));
    }

    /** The same uses with DOUBLE for FLOAT, if the engine has a kernel for it. */
    @TestFactory
    Stream<DynamicTest> agreesInDouble() {
        return uses().entrySet().stream()
                .map(use -> DynamicTest.dynamicTest(use.getKey(), () -> {
                    for (int seed = 0; seed < USES; seed++) {
                        var sample = new Sample(new Random(seed));
                        use.getValue().accept(sample);
                        sample.widen(SINGLE.contains(op(use.getKey())) ? 1e-6 : 1e-12);
                        Assumptions.assumeTrue(
                                compare(op(use.getKey()), sample, seed), "the engine has no such kernel");
                    }
                }));
    }

    @Test
    void everyOperatorIsCompared() {
        var missing = new TreeSet<String>();
        Kernels.names().forEach(missing::add);
        missing.removeAll(uses().keySet().stream().map(EvaluatorAgreesTest::op).collect(Collectors.toSet()));
        missing.removeAll(new HashSet<>(ELSEWHERE));

        assertThat(missing).isEmpty();
    }

    /** @return whether the engine could run it */
    private static boolean compare(String op, Sample sample, int seed) throws OrtException {
        var attributes = new LinkedHashMap<String, AttributeProto>();
        sample.attributes.forEach(a -> attributes.put(a.getName(), a));
        String what = op + " of seed " + seed + " " + sample.inputs + " " + attributes.values();
        List<NdArray> expected;
        try {
            expected = OnnxRuntime.run(op, sample.attributes, sample.inputs, sample.outputs, sample.opset);
        } catch (OrtException refused) {
            // A type that the operator's own definition rules out, or one that this build leaves
            // out.
            if (sample.widened
                    && refused.getMessage().matches("(?s).*(NOT_IMPLEMENTED|INVALID_GRAPH|not support double yet).*")) {
                return false;
            }
            throw refused;
        }
        List<NdArray> found = Evaluator.evaluate(op, attributes, sample.inputs).orElseThrow();
        for (int i = 0; i < expected.size(); i++) {
            close(what, found.get(i), expected.get(i), sample.tolerance);
        }
        return true;
    }

    static void close(String what, NdArray found, NdArray expected, double tolerance) {
        assertThat(found.element()).as(what).isEqualTo(expected.element());
        assertThat(found.dims()).as(what).isEqualTo(expected.dims());
        double largest = 0;
        for (int i = 0; i < expected.size(); i++) {
            double size = Math.abs(expected.real(i));
            largest = Double.isFinite(size) ? Math.max(largest, size) : largest;
        }
        for (int i = 0; i < expected.size(); i++) {
            if (Double.isFinite(expected.real(i)) && Double.isFinite(found.real(i))) {
                assertThat(found.real(i))
                        .as("%s\nat %d", what, i)
                        .isCloseTo(expected.real(i), within(tolerance * Math.max(largest, 0.1)));
            } else {
                assertThat(found.real(i)).as("%s\nat %d", what, i).isEqualTo(Double.valueOf(expected.real(i)));
            }
        }
    }
}
