package io.knabla.functions.compiler.optimize.quantize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.optimize.quantize.Quantization.Options;
import io.knabla.functions.compiler.optimize.quantize.RangeCalibrator.Method;
import io.knabla.functions.compiler.trace.Outputs;
import io.knabla.functions.compiler.trace.Signature;
import io.knabla.functions.compiler.trace.Tensor;
import io.knabla.functions.compiler.trace.Tensors;
import io.knabla.functions.compiler.trace.Trace;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that quantised models in ONNX Runtime give nearly the same results with a quarter of the bytes. */
class QuantizerTest {
    private static NdArray logits(Dag dag, NdArray images) throws OrtException {
        return OnnxRuntime.run(Exporter.write(dag), Map.of("image", images)).get("logits");
    }

    private static Map<String, NdArray> engine(Dag dag, Map<String, NdArray> inputs) {
        try {
            return OnnxRuntime.run(Exporter.write(dag), inputs);
        } catch (OrtException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static Map<String, Range> ranges(Dag dag, Digits digits, Method method) {
        var batches = IntStream.range(0, 4).mapToObj(i -> Map.of("image", digits.images(i * 32, i * 32 + 32)));
        return RangeCalibrator.ranges(dag, Options.DEFAULT, method, batches, QuantizerTest::engine);
    }

    private static int bytes(Dag dag) {
        return Exporter.write(dag).getSerializedSize();
    }

    private static double error(NdArray found, NdArray expected) {
        double off = 0;
        double square = 0;
        for (int i = 0; i < expected.size(); i++) {
            off += Math.pow(found.real(i) - expected.real(i), 2);
            square += Math.pow(expected.real(i), 2);
        }
        return Math.sqrt(off / square);
    }

    private static void keepsItsAccuracy(QuantizationResult quantized) throws Exception {
        var digits = new Digits();
        NdArray heldOut = digits.images(Digits.TRAINED, Digits.ALL);
        NdArray before = logits(Digits.dag(), heldOut);
        NdArray after = logits(quantized.dag(), heldOut);

        assertThat(digits.right(before, Digits.TRAINED)).isEqualTo(499);
        assertThat(digits.right(after, Digits.TRAINED)).isGreaterThanOrEqualTo(497);
        assertThat(error(after, before)).isLessThan(0.05);
        assertThat(bytes(quantized.dag())).isLessThan((int) (bytes(Digits.dag()) / 3.4));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8})
    void dynamicModelKeepsItsAccuracy(int bits) throws Exception {
        keepsItsAccuracy(Quantizer.quantize(Digits.dag(), new Quantization.Dynamic(new Options(256, bits))));
    }

    static Stream<Method> methods() {
        return Stream.of(new Method.MinMax(), new Method.Percentile(0.9995));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void staticModelKeepsItsAccuracy(Method method) throws Exception {
        Dag dag = Digits.dag();

        var ranges = ranges(dag, new Digits(), method);

        keepsItsAccuracy(Quantizer.quantize(dag, new Quantization.Static(ranges, Options.DEFAULT)));
    }

    /** The parts of a language model: embedding, products of three axes, attention. */
    private static Dag words() {
        var random = new Random(4);
        Tensor table = Tensors.normal(random, 1, 200, 32).named("words");
        Tensor query = Tensors.normal(random, 0.2, 32, 32).named("query");
        Tensor up = Tensors.normal(random, 0.2, 32, 128).named("up");
        Tensor down = Tensors.normal(random, 0.1, 128, 32).named("down");
        return Trace.of(Signature.of("ids", ElementType.INT64, "batch", "length"), in -> {
                    Tensor x = table.embedding(in.get("ids"));
                    Tensor y = x.matmul(query).attention(x, x).add(x);
                    return Outputs.of("y", y.matmul(up).gelu().matmul(down).add(y));
                })
                .dag();
    }

    private static Map<String, NdArray> ids(long seed) {
        long[] ids = new Random(seed).longs(12, 0, 200).toArray();
        return Map.of("ids", NdArray.whole(ElementType.INT64, new int[] {2, 6}, ids));
    }

    @Test
    void languageModelKeepsItsResults() throws Exception {
        Dag dag = words();
        var ranges = RangeCalibrator.ranges(
                dag,
                Options.DEFAULT,
                new Method.MinMax(),
                IntStream.range(0, 20).mapToObj(QuantizerTest::ids),
                DagEvaluator::run);
        for (Quantization how :
                List.of(new Quantization.Dynamic(Options.DEFAULT), new Quantization.Static(ranges, Options.DEFAULT))) {
            QuantizationResult quantized = Quantizer.quantize(words(), how);

            NdArray expected = engine(dag, ids(99)).get("y");
            assertThat(error(engine(quantized.dag(), ids(99)).get("y"), expected))
                    .isLessThan(0.05);
            assertThat(error(DagEvaluator.run(quantized.dag(), ids(99)).get("y"), expected))
                    .isLessThan(0.05);
            assertThat(quantized.report().weights())
                    .extracting(QuantizationReport.Weight::name)
                    .containsExactly("words", "query", "up", "down");
            assertThat(quantized.report().bytesBefore())
                    .isGreaterThan(3 * quantized.report().bytesAfter());
        }
    }

    @Test
    void reportsFloatOperationsAndErrors() throws Exception {
        QuantizationReport report = Quantizer.quantize(Digits.dag(), new Quantization.Dynamic(Options.DEFAULT))
                .report();

        assertThat(report.kept())
                .extracting(Object::toString)
                .containsExactly(
                        "Conv '/conv1/Conv': its weight has only 144 elements",
                        "Gemm '/dense2/Gemm': its weight has only 720 elements");
        assertThat(report.weights())
                .extracting(QuantizationReport.Weight::elements)
                .containsExactly(4608L, 36864L);
        // Half a step of 63, uniform, over a weight whose largest is a few times its root mean
        // square.
        assertThat(report.weights()).allSatisfy(w -> assertThat(w.error()).isBetween(0.003, 0.03));
    }

    @Test
    void rejectsMissingRanges() throws Exception {
        var quantization = new Quantization.Static(Map.of(), Options.DEFAULT);

        assertThatThrownBy(() -> Quantizer.quantize(Digits.dag(), quantization))
                .hasMessageContaining("no range for")
                .hasMessageContaining("calibrate this very model");
        assertThatThrownBy(() -> RangeCalibrator.ranges(
                        Digits.dag(), Options.DEFAULT, new Method.MinMax(), Stream.of(), QuantizerTest::engine))
                .hasMessage("the calibration set is empty");
    }

    @Test
    void percentilesClipOutliers() throws Exception {
        Dag dag = Digits.dag();
        var digits = new Digits();

        Map<String, Range> all = ranges(dag, digits, new Method.MinMax());
        Map<String, Range> most = ranges(dag, digits, new Method.Percentile(0.99));

        assertThat(most).hasSameSizeAs(all).containsOnlyKeys(all.keySet());
        most.forEach((name, range) ->
                assertThat(range.high()).isLessThanOrEqualTo(all.get(name).high()));
        assertThat(most.values().stream().mapToDouble(Range::high).sum())
                .isLessThan(0.9 * all.values().stream().mapToDouble(Range::high).sum());
    }

    @Test
    void rejectsNonFiniteNumbers() {
        double[] weights = new double[2048];
        weights[7] = Double.POSITIVE_INFINITY;
        Tensor weight = Tensors.of(weights, 2, 1024).named("w");
        Dag dag = Trace.of(
                        Signature.of("x", ElementType.FLOAT, "n", 2),
                        in -> Outputs.of("y", in.get("x").log().matmul(weight)))
                .dag();
        var zero = Map.of("x", NdArray.floats(new int[] {1, 2}, 0, 1));

        assertThatThrownBy(() -> Quantizer.quantize(dag, new Quantization.Dynamic(Options.DEFAULT)))
                .hasMessageContaining("the weight 'w' of MatMul")
                .hasMessageContaining("holds Infinity");
        assertThatThrownBy(() -> RangeCalibrator.ranges(
                        dag, Options.DEFAULT, new Method.MinMax(), Stream.of(zero), DagEvaluator::run))
                .hasMessageContaining("reaches from -Infinity to 0.0 on the calibration set");
    }
}
