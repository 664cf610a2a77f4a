package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares gradients at kinks, ties and bounds with PyTorch's, element by element. Those that differ are the rows of
 * the table in {@code docs/gradients.md}, and no others.
 */
class EdgesTest {
    private static final List<Fixture> CASES = Fixtures.read("/edges/edges.zip");
    private static final Path DOCUMENT = Path.of("../../docs/gradients.md");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\|[^|]*\\| ([^|]*) \\| ([^|]*) \\|.*");
    private static final double TOLERANCE = 1e-5;

    /** Gradients of all inputs, one after the other. */
    private record Row(String name, List<Double> torch, List<Double> knabla) {
        static Row of(Matcher cells) {
            return new Row(cells.group(1), numbers(cells.group(2)), numbers(cells.group(3)));
        }

        private static List<Double> numbers(String cell) {
            return Arrays.stream(cell.strip().split("[ ,;]+"))
                    .map(text -> Double.valueOf(text.replace("∞", "Infinity")))
                    .toList();
        }
    }

    private static Map<String, Row> rows() {
        try (Stream<String> lines = Files.lines(DOCUMENT)) {
            return lines.map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(Row::of)
                    .collect(Collectors.toMap(Row::name, Function.identity()));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @TestFactory
    Stream<DynamicTest> gradientsArePyTorchsOrInTheTable() {
        Map<String, Row> rows = rows();
        return CASES.stream()
                .map(edge -> DynamicTest.dynamicTest(edge.name(), () -> {
                    List<Double> torch = flat(edge.expected("gradients"));
                    List<Double> knabla = gradients(edge);
                    Row row = rows.get(edge.name());
                    if (row == null) {
                        assertThat(knabla)
                                .usingElementComparator(EdgesTest::compare)
                                .isEqualTo(torch);
                    } else {
                        assertThat(knabla)
                                .usingElementComparator(EdgesTest::compare)
                                .isEqualTo(row.knabla());
                        assertThat(torch)
                                .usingElementComparator(EdgesTest::compare)
                                .isEqualTo(row.torch());
                        assertThat(knabla)
                                .usingElementComparator(EdgesTest::compare)
                                .isNotEqualTo(torch);
                    }
                }));
    }

    @Test
    void everyRowIsACase() {
        assertThat(rows()).isNotEmpty();
        assertThat(CASES.stream().map(Fixture::name)).containsAll(rows().keySet());
    }

    private static List<Double> gradients(Fixture edge) throws OrtException {
        var inputs = edge.expected("gradients").keySet();
        Dag dag = Replay.read(edge.model());
        var outputs = List.copyOf(edge.cotangents().keySet());
        Dag vjp = Transforms.vjp(dag, outputs, Replay.targets(dag, inputs), UnreachablePolicy.ZERO);
        Map<String, NdArray> found = OnnxRuntime.run(Exporter.write(vjp), edge.feeds());
        return inputs.stream()
                .flatMap(input -> stream(found.get(input + "_grad")))
                .toList();
    }

    private static List<Double> flat(Map<String, NdArray> tensors) {
        return tensors.values().stream().flatMap(EdgesTest::stream).toList();
    }

    private static Stream<Double> stream(NdArray tensor) {
        return Arrays.stream(tensor.reals()).boxed();
    }

    private static int compare(double one, double other) {
        boolean near = Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(other));
        return near ? 0 : Double.compare(one, other);
    }
}
