package io.knabla.controller.knative.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.knative.resource.FunctionObjectStatus;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a status computed twice from the same input is equal, after any earlier status. Each difference would be
 * written and would trigger another reconciliation.
 */
class FunctionStatusBuilderIdempotenceTest {
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
    private static final List<StatusInput> WORLDS = CASES.stream()
            .flatMap(name -> Stream.of(
                    Recordings.input(Recordings.snapshot(name), 1),
                    Recordings.input(Recordings.merged("good", name), 2),
                    Recordings.input(Recordings.merged("onspot", name), 2)))
            .toList();

    @ParameterizedTest
    @MethodSource("cases")
    void isIdempotent(String before) {
        for (StatusInput then : worlds(before)) {
            FunctionObjectStatus said = FunctionStatusBuilder.status(then, null, Recordings.NOW);
            for (StatusInput now : WORLDS) {
                FunctionObjectStatus once = FunctionStatusBuilder.status(now, said, Recordings.NOW);

                assertThat(FunctionStatusBuilder.status(now, once, Recordings.NOW))
                        .isEqualTo(once);
            }
        }
    }

    static List<String> cases() {
        return CASES;
    }

    private static List<StatusInput> worlds(String name) {
        int first = 3 * CASES.indexOf(name);
        return WORLDS.subList(first, first + 3);
    }
}
