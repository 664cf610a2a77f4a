package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.cuda.DevicePlacement;
import io.knabla.functions.compiler.cuda.DevicePlacement.Direction;
import io.knabla.functions.compiler.cuda.DevicePlacement.Fallback;
import io.knabla.functions.compiler.cuda.PlacementPredictor;
import io.knabla.functions.compiler.onnx.Model;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compares the predicted placement of whole models with the recorded one of the CUDA provider itself. */
class PlacementOfProviderTest {
    private static final String RECORDED = "/families/cuda-placement.tsv";

    /** The provider copies the ends of a range twice that are the same; the prediction merges the two ranges. */
    private static final String MERGED = "gpt2_sdpa";

    /** @param onCpu operator and name of each node */
    private record Recorded(String model, int toDevice, int toHost, List<String> onCpu) {
        static Recorded of(String line) {
            String[] columns = line.split("\t", 4);
            return new Recorded(
                    columns[0],
                    Integer.parseInt(columns[1]),
                    Integer.parseInt(columns[2]),
                    columns[3].isEmpty() ? List.of() : List.of(columns[3].split("; ")));
        }
    }

    private static List<Recorded> recorded() throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(
                PlacementOfProviderTest.class.getResourceAsStream(RECORDED), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Recorded::of)
                    .toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> isPredicted() throws IOException {
        Map<String, Fixture> fixtures = Fixtures.read("/families/families.zip").stream()
                .collect(Collectors.toMap(Fixture::name, Function.identity()));
        return recorded().stream()
                .filter(one -> fixtures.containsKey(one.model()))
                .map(one -> DynamicTest.dynamicTest(one.model(), () -> check(one, fixtures.get(one.model()))));
    }

    private static void check(Recorded provider, Fixture fixture) {
        DevicePlacement predicted = PlacementPredictor.of(Model.of(fixture.model()));

        List<String> onCpu = predicted.fallbacks().stream()
                .map(PlacementOfProviderTest::told)
                .toList();
        List<String> computing = predicted.computations().stream()
                .map(PlacementOfProviderTest::told)
                .toList();
        assertThat(onCpu).containsAll(provider.onCpu());
        // The provider merges some computations of sizes away; what else it leaves to the CPU must be the same.
        assertThat(provider.onCpu()).containsAll(computing);
        assertThat(copies(predicted, Direction.TO_DEVICE)).isEqualTo(provider.toDevice());
        int merged = provider.model().equals(MERGED) ? 2 : 0;
        assertThat(copies(predicted, Direction.TO_HOST) + merged).isEqualTo(provider.toHost());
    }

    private static long copies(DevicePlacement placement, Direction direction) {
        return placement.copies().stream()
                .filter(copy -> copy.direction() == direction)
                .count();
    }

    private static String told(Fallback one) {
        return one.op() + " " + one.node();
    }
}
