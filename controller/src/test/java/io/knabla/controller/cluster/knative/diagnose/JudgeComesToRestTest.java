package io.knabla.controller.cluster.knative.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cluster.knative.resource.FunctionObjectStatus;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a status computed twice from the same input is equal, after any earlier status. Each difference would be
 * written and would trigger another reconciliation.
 */
class JudgeComesToRestTest {
    private static final List<String> CASES = List.of(
            "good",
            "onspot",
            "noimage",
            "digest",
            "gaveup",
            "noaffinity",
            "noselector",
            "nogpu",
            "nomemory",
            "nodegone",
            "quota",
            "oom",
            "crash",
            "config");

    /** All inputs: each case alone, as version 2 beside a version scaled to zero, and beside one that answers. */
    private static final List<Sight> WORLDS = CASES.stream()
            .flatMap(name -> Stream.of(
                    Recorded.sight(Recorded.seen(name), 1),
                    Recorded.sight(Recorded.both("good", name), 2),
                    Recorded.sight(Recorded.both("onspot", name), 2)))
            .toList();

    @ParameterizedTest
    @MethodSource("cases")
    void isIdempotent(String before) {
        for (Sight then : worlds(before)) {
            FunctionObjectStatus said = Judge.status(then, null, Recorded.NOW);
            for (Sight now : WORLDS) {
                FunctionObjectStatus once = Judge.status(now, said, Recorded.NOW);

                assertThat(Judge.status(now, once, Recorded.NOW)).isEqualTo(once);
            }
        }
    }

    static List<String> cases() {
        return CASES;
    }

    private static List<Sight> worlds(String name) {
        int first = 3 * CASES.indexOf(name);
        return WORLDS.subList(first, first + 3);
    }
}
