package io.knabla.controller.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Tests the proportional split into whole numbers. */
class PercentagesTest {
    @Test
    void givesRestToLargestRemainders() {
        assertThat(Percentages.share(100, List.of(1, 1, 1))).containsExactly(34, 33, 33);
        assertThat(Percentages.share(10, List.of(25, 36, 39))).containsExactly(2, 4, 4);
        assertThat(Percentages.share(1, List.of(10, 90))).containsExactly(0, 1);
        assertThat(Percentages.share(100, List.of(0, 0))).containsExactly(50, 50);
        assertThat(Percentages.share(100, List.of(0, 7))).containsExactly(0, 100);
        assertThat(Percentages.share(0, List.of(3, 7))).containsExactly(0, 0);
    }

    @Property
    void sumsToTotalAndErrsByLessThanOne(
            @ForAll @IntRange(max = 100) int total,
            @ForAll @NotEmpty @Size(max = 8) List<@IntRange(max = 1000) Integer> weights) {
        List<Integer> parts = Percentages.share(total, weights);

        int sum = weights.stream().mapToInt(Integer::intValue).sum();
        assertThat(parts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(total);
        for (int i = 0; i < parts.size(); i++) {
            double exact = sum == 0 ? (double) total / weights.size() : (double) total * weights.get(i) / sum;
            assertThat(Math.abs(parts.get(i) - exact)).isLessThan(1);
        }
    }
}
