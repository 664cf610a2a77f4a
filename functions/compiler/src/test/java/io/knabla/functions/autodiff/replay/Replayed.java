package io.knabla.functions.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One test a case: it agrees, or it is on the list of those that do not, for the reason stated there. */
final class Replayed {
    private Replayed() {}

    /** @param list resource of the checked-in list */
    static Stream<DynamicTest> tests(Coverage coverage, String list) {
        if (Refusals.rewriting()) {
            Refusals.write(list, coverage);
            return Stream.empty();
        }
        Map<String, String> refused = Refusals.read(list);
        return coverage.outcomes().entrySet().stream()
                .map(e ->
                        DynamicTest.dynamicTest(e.getKey(), () -> check(e.getValue(), refused.get(e.getKey()), list)));
    }

    static Stream<DynamicTest> tests(Coverage coverage) {
        return coverage.outcomes().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> agrees(e.getValue())));
    }

    private static void check(Outcome outcome, String listed, String list) {
        if (listed == null || Fixtures.partial()) {
            agrees(outcome);
        } else {
            assertThat(outcome)
                    .as("it agrees now: take it off %s, or run with -Drefused=write", list)
                    .isNotInstanceOf(Outcome.Agrees.class);
            assertThat(outcome.operators()).as(outcome.reason()).isEqualTo(listed);
        }
    }

    private static void agrees(Outcome outcome) {
        assertThat(outcome).as(outcome.reason()).isInstanceOf(Outcome.Agrees.class);
    }

    /** Says how many agree, and that as many do as must. */
    static void atLeast(Coverage coverage, double floor) {
        System.out.println(coverage.line());
        assertThat(coverage.ratio()).as(coverage.line()).isGreaterThanOrEqualTo(floor);
    }
}
