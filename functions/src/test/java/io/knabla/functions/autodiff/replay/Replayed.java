package io.knabla.functions.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One test a case: it agrees, or it is on the list of those that do not. */
final class Replayed {
    private Replayed() {}

    static Stream<DynamicTest> tests(Coverage coverage, Map<String, String> refused) {
        return coverage.outcomes().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> check(e, refused)));
    }

    private static void check(Map.Entry<String, Outcome> entry, Map<String, String> refused) {
        if (Fixtures.partial() || !refused.containsKey(entry.getKey())) {
            assertThat(entry.getValue())
                    .as(entry.getValue().reason())
                    .isInstanceOf(Outcome.Agrees.class);
        }
    }

    /** Says how many agree, and that as many do as must. */
    static void atLeast(Coverage coverage, double floor) {
        System.out.println(coverage.line());
        assertThat(coverage.ratio()).as(coverage.line()).isGreaterThanOrEqualTo(floor);
    }
}
