package io.knabla.runtime.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the decision on one-dimensional functions with known slopes. */
class GradientCheckResultTest {
    private static final double LIMIT = 0.01;

    private static DirectionalDerivative slopes(DoubleUnaryOperator f, double at, double claimed) {
        return new DirectionalDerivative(
                claimed,
                Math.abs(claimed),
                List.of(difference(f, at, 0.04), difference(f, at, 0.01), difference(f, at, 0.0025)));
    }

    private static DirectionalDerivative.Difference difference(DoubleUnaryOperator f, double at, double eps) {
        double here = f.applyAsDouble(at);
        return new DirectionalDerivative.Difference(
                eps, (here - f.applyAsDouble(at - eps)) / eps, (f.applyAsDouble(at + eps) - here) / eps, 0);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the right slope,      1.0,   true",
        "one percent is borne, 1.009, true",
        "two percent are not,  1.02,  false",
        "a wrong sign,         -1.0,  false",
        "a factor of two,      2.0,   false",
        "no slope at all,      0.0,   false"
    })
    void comparesGradientWithDifferences(String what, double factor, boolean agrees) {
        DirectionalDerivative exp = slopes(Math::exp, 1, factor * Math.E);
        assertThat(GradientCheckResult.of(List.of(exp), LIMIT) instanceof GradientCheckResult.Agrees)
                .isEqualTo(agrees);
    }

    @Test
    void ignoresAndCountsKinks() {
        DirectionalDerivative kink = slopes(Math::abs, 0, 1);
        DirectionalDerivative smooth = slopes(Math::sin, 0.3, Math.cos(0.3));
        assertThat(GradientCheckResult.of(List.of(kink, smooth), LIMIT))
                .isInstanceOfSatisfying(GradientCheckResult.Agrees.class, agrees -> {
                    assertThat(agrees.kinks()).isEqualTo(1);
                    assertThat(agrees.directions()).isEqualTo(2);
                    assertThat(agrees.error()).isCloseTo(0, offset(1e-5));
                });
    }

    @Test
    void oneWrongDirectionIsEnough() {
        DirectionalDerivative right = slopes(Math::sin, 0.3, Math.cos(0.3));
        DirectionalDerivative wrong = slopes(Math::sin, 0.3, 1.5 * Math.cos(0.3));
        assertThat(GradientCheckResult.of(List.of(right, wrong, right), LIMIT))
                .isInstanceOfSatisfying(GradientCheckResult.Differs.class, differs -> {
                    assertThat(differs.error()).isCloseTo(1 / 3.0, offset(1e-4));
                    assertThat(differs.sentence()).contains("differ by 0.33", "0.010");
                });
    }

    @Test
    void sharpCurvesAreNoKinks() {
        DirectionalDerivative curved = slopes(x -> 40 * x * x, 1, 2 * 80);
        assertThat(GradientCheckResult.of(List.of(curved), LIMIT)).isInstanceOf(GradientCheckResult.Differs.class);
    }

    @Test
    void toleratesRoundingError() {
        var drowned = new DirectionalDerivative.Difference(0.1, 5e-6, -3e-6, 2e-5);
        assertThat(new DirectionalDerivative(1e-6, 1e-6, List.of(drowned)).certainError())
                .isZero();
        var clear = new DirectionalDerivative.Difference(0.1, 5e-4, 5e-4, 2e-5);
        assertThat(new DirectionalDerivative(1e-6, 1e-6, List.of(clear)).certainError())
                .isGreaterThan(0.9);
    }
}
