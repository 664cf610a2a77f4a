package io.knabla.controller.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanarySplitTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                           | present             | percent | split
            no traffic for the new version       | 1=100               | 0       | 1=100 latest=0@canary
            a tenth for the new version          | 1=100               | 10      | 1=90 latest=10@canary
            the rest keeps its proportion        | 1=75 2=25           | 20      | 1=60 2=20 latest=20@canary
            the tag moves to the new version     | 1=90 2=10@canary    | 10      | 1=81 2=9 latest=10@canary
            a canary without requests is left    | 1=100 2=0@canary    | 0       | 1=100 latest=0@canary
            another tag stays                    | 1=100 2=0@old       | 50      | 1=50 2=0@old latest=50@canary
            entries that become equal are joined | 2=90 2=10@canary    | 0       | 2=100 latest=0@canary
            everything                           | 1=100               | 100     | latest=100@canary
            """)
    void splits(String scenario, String present, int percent, String split) {
        List<TrafficTarget> targets =
                Arrays.stream(present.split(" ")).map(CanarySplitTest::target).toList();

        assertThat(CanarySplit.of(targets, percent, "canary").stream()
                        .map(TrafficTarget::toString)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(split);
    }

    private static TrafficTarget target(String text) {
        String[] parts = text.split("[=@]");
        var target = new TrafficTarget(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        return parts.length > 2 ? target.tagged(parts[2]) : target;
    }
}
