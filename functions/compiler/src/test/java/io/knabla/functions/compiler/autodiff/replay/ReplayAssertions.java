package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Creates one test per case: it agrees, or it is on the list of known failures, with the same operators. */
final class ReplayAssertions {
    private ReplayAssertions() {}

    /** @param list resource of the checked-in list */
    static Stream<DynamicTest> tests(ReplayOutcomes coverage, String list) {
        if (KnownFailures.rewriting()) {
            KnownFailures.write(list, coverage);
            return Stream.empty();
        }
        Map<String, String> refused = KnownFailures.read(list);
        return coverage.outcomes().entrySet().stream()
                .map(e ->
                        DynamicTest.dynamicTest(e.getKey(), () -> check(e.getValue(), refused.get(e.getKey()), list)));
    }

    static Stream<DynamicTest> tests(ReplayOutcomes coverage) {
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

    /** Prints how many cases agree, and asserts a minimum. */
    static void atLeast(ReplayOutcomes coverage, double floor) {
        System.out.println(coverage.line());
        assertThat(coverage.ratio()).as(coverage.line()).isGreaterThanOrEqualTo(floor);
    }
}
