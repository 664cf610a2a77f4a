package io.knabla.controller.simulate.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Examples worked by hand. */
class CurveComparisonTest {
    /** Half of the requests cold at 100 GB s, a tenth at 300. */
    private static final List<ResultRow> OWN =
            List.of(row(PolicyName.Adaptive, 300, 0.1), row(PolicyName.Adaptive, 100, 0.5));

    private static ResultRow row(PolicyName policy, double wasted, double cold) {
        return new ResultRow(
                policy, "", "", 0, 1, 0, cold, cold, cold, 0, 0, 0, wasted, wasted, wasted, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0);
    }

    private static CurveComparison with(double wasted, double cold) {
        return CurveComparison.of(OWN, List.of(row(PolicyName.Fixed, wasted, cold)));
    }

    private static double ownAt(double wasted) {
        return with(wasted, 1).points().getFirst().ownColdRate();
    }

    @Test
    void betweenPointsItIsOnTheLine() {
        assertThat(ownAt(0)).isEqualTo(1);
        assertThat(ownAt(50)).isCloseTo(0.75, within(1e-12));
        assertThat(ownAt(100)).isCloseTo(0.5, within(1e-12));
        assertThat(ownAt(250)).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void beyondTheLastPointItGetsNoWorse() {
        assertThat(ownAt(1_000)).isEqualTo(0.1);
    }

    @Test
    void moreWasteNeverGivesMoreColdStarts() {
        List<ResultRow> own = List.of(row(PolicyName.Adaptive, 100, 0.2), row(PolicyName.Adaptive, 300, 0.4));

        assertThat(CurveComparison.of(own, List.of(row(PolicyName.Fixed, 300, 0.4)))
                        .worst()
                        .ownColdRate())
                .isEqualTo(0.2);
    }

    @Test
    void countsWhereItIsBetterEqualOrWorse() {
        CurveComparison comparison = CurveComparison.of(
                OWN,
                List.of(
                        row(PolicyName.Fixed, 50, 0.9),
                        row(PolicyName.Fixed, 100, 0.5),
                        row(PolicyName.Fixed, 250, 0.1),
                        row(PolicyName.Fixed, 400, 0.1)));

        assertThat(comparison)
                .extracting(CurveComparison::better, CurveComparison::equal, CurveComparison::worse)
                .containsExactly(1L, 2L, 1L);
        assertThat(comparison.best().ratio()).isCloseTo(0.75 / 0.9, within(1e-12));
        assertThat(comparison.worst().ratio()).isCloseTo(2, within(1e-12));
    }

    @Test
    void withoutAnyColdStartOfTheOtherTheRatioIsInfinite() {
        assertThat(with(300, 0).worst().ratio()).isInfinite();
        assertThat(CurveComparison.of(List.of(row(PolicyName.Adaptive, 1, 0)), List.of(row(PolicyName.Fixed, 2, 0)))
                        .worst()
                        .ratio())
                .isEqualTo(1);
    }
}
