package io.knabla.runtime.ranges;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.ModelReader;
import io.knabla.functions.compiler.onnx.ModelReader.ReadResult;
import io.knabla.functions.compiler.optimize.quantize.Range;
import io.knabla.functions.compiler.optimize.quantize.RangeOracle;
import io.knabla.functions.unit.DataType;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the ranges that the engine measures with those of the interpreter. */
class RangeMeasurementTest {
    private static final Path DIGITS = Path.of("../functions/samples/digits/digits.onnx");

    @TempDir
    Path folder;

    private static Map<String, OutputRange> measure(TestUnit unit) {
        var settings = new EngineSettings(1, 1, Duration.ofMinutes(1), 1, Duration.ZERO, 1);
        try (Engine engine = Engine.open(unit.folder(), unit.manifest(), settings)) {
            return RangeMeasurement.measure(engine, unit.manifest(), unit.folder());
        }
    }

    private static Dag digits() throws IOException {
        return ((ImportResult.Success) Importer.read(((ReadResult.Opened) ModelReader.read(DIGITS)).model())).dag();
    }

    private static NdArray images(int count) {
        return NdArray.floats(
                new int[] {count, 1, 8, 8},
                new Random(count).doubles(count * 64L).toArray());
    }

    private static String request(NdArray images) {
        return "{\"inputs\": [{\"name\": \"image\", \"shape\": %s, \"data\": %s}]}"
                .formatted(Arrays.toString(images.dims()), Arrays.toString(images.reals()));
    }

    @Test
    void findsTheRangesOfTheInterpreter() throws Exception {
        List<Map<String, NdArray>> samples = new ArrayList<>();
        var requests = new StringBuilder();
        for (int count : List.of(1, 5, 3)) {
            samples.add(Map.of("image", images(count)));
            requests.append(request(images(count))).append('\n');
        }
        Map<String, Range> expected = RangeOracle.ranges(digits(), samples);

        try (var unit = TestUnit.calibration(DIGITS, requests.toString())) {
            Map<String, OutputRange> found = measure(unit);

            assertThat(found).isNotEmpty().containsOnlyKeys(expected.keySet());
            found.forEach((name, output) -> {
                var range = new Range(output.low(), output.high());
                assertThat(range.low()).isCloseTo(expected.get(name).low(), within(1e-4));
                assertThat(range.high()).isCloseTo(expected.get(name).high(), within(1e-4));
            });
        }
    }

    private Path logarithms() {
        return Onnx.save(
                new Onnx()
                        .input("x", FLOAT, "n", 32)
                        .output("y", FLOAT, "n", 32)
                        .weights("W", 32, 32)
                        .node("Log", List.of("x"), "log")
                        .node("MatMul", List.of("log", "W"), "y")
                        .build(),
                folder.resolve("log.onnx"));
    }

    private static String row(double value) {
        return "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 32], \"data\": %s}]}"
                .formatted(Collections.nCopies(32, value));
    }

    @Test
    void refusesRangesThatAreNotFinite() throws Exception {
        try (var unit = TestUnit.calibration(logarithms(), row(1) + row(0))) {
            assertThatThrownBy(() -> measure(unit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("reaches from -Infinity to 0.0 on the calibration set");
        }
        try (var unit = TestUnit.calibration(logarithms(), row(-1) + row(1))) {
            assertThatThrownBy(() -> measure(unit)).hasMessageContaining("reaches from");
        }
    }

    /** The declared shapes fit, the sizes within the graph do not. */
    @Test
    void reportsThatTheModelDoesNotRunOnTheSamples() throws Exception {
        Path model = Onnx.save(
                new Onnx()
                        .input("a", FLOAT, "n", 32)
                        .input("b", FLOAT, "m", 32)
                        .output("y", FLOAT, "n", 32)
                        .weights("W", 32, 32)
                        .node("Add", List.of("a", "b"), "sum")
                        .node("MatMul", List.of("sum", "W"), "y")
                        .build(),
                folder.resolve("add.onnx"));
        String request =
                "{\"inputs\": [{\"name\": \"a\", \"shape\": [2, 32], \"data\": %s}, {\"name\": \"b\", \"shape\": [3, 32], \"data\": %s}]}"
                        .formatted(Collections.nCopies(64, 1.0), Collections.nCopies(96, 1.0));

        try (var unit = TestUnit.calibration(model, request)) {
            assertThatThrownBy(() -> measure(unit)).isInstanceOf(EngineException.class);
        }
    }

    @Test
    void aRangeWithNaNIsNotFinite() {
        ByteBuffer bytes = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putFloat(1).putFloat(Float.NaN).putFloat(3).flip();

        var range = OutputRange.of(Tensor.numbers("v", DataType.FP32, new long[] {3}, bytes));

        assertThat(range.isFinite()).isFalse();
        assertThat(new OutputRange(0, 1).join(range).isFinite()).isFalse();
        assertThat(new OutputRange(0, 1).join(new OutputRange(-2, 0.5))).isEqualTo(new OutputRange(-2, 1));
    }
}
