package io.knabla.functions.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * PyTorch's OpInfo entries: their gradients in ONNX Runtime against PyTorch's in float64. One entry
 * alone: {@code -Dtest=OpInfoTest -Dcase='nn_functional_conv*'}.
 */
class OpInfoTest {
    private static final List<Fixture> CASES = Fixtures.read("/opinfo/opinfo.zip");
    private static final Map<String, String> REFUSED = Refusals.read("/opinfo/refused.txt");
    private static final double TOLERANCE = 1e-4;

    /** Of all exportable entries. */
    private static final double FLOOR = 0.0;

    private static Coverage vjp() {
        return Coverage.of("opinfo-vjp", CASES, c -> Replay.vjp(c, tolerance(c)));
    }

    /** PyTorch's own float32 answer may be further off than ours need be. */
    private static double tolerance(Fixture fixture) {
        return Math.max(TOLERANCE, 4 * fixture.error32());
    }

    @TestFactory
    Stream<DynamicTest> gradients() {
        return vjp().outcomes().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> check(e)));
    }

    private static void check(Map.Entry<String, Outcome> entry) {
        if (Fixtures.partial() || !REFUSED.containsKey(entry.getKey())) {
            assertThat(entry.getValue())
                    .as(entry.getValue().reason())
                    .isInstanceOf(Outcome.Agrees.class);
        }
    }

    @Test
    void coverage() {
        assumeFalse(Fixtures.partial());

        System.out.println(vjp().line());

        assertThat(vjp().ratio()).as(vjp().line()).isGreaterThanOrEqualTo(FLOOR);
        assertThat(vjp().outcomes().keySet()).containsAll(REFUSED.keySet());
    }
}
