package io.knabla.functions.trace;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Gradients of functions written in Java. */
class GradientsTest {
    private static final Offset<Double> NEAR = Offset.offset(1e-5);

    /** Baydin et al., "Automatic differentiation in machine learning: a survey", their running example. */
    @Test
    void theLecturesExample() {
        var f = Gradients.of((x1, x2) -> x1.log().add(x1.mul(x2)).sub(x2.sin()));

        var at = f.at(Tensors.scalar(2), Tensors.scalar(5));

        assertThat(at.value().item()).isEqualTo(Math.log(2) + 10 - Math.sin(5), NEAR);
        assertThat(at.value().item()).isEqualTo(11.652, Offset.offset(5e-4));
        assertThat(at.by(0).item()).isEqualTo(5.5, NEAR);
        assertThat(at.by(1).item()).isEqualTo(1.716, Offset.offset(5e-4));
    }

    @Test
    void aValueUsedTwice() {
        var f =
                Gradients.of(
                        v -> {
                            Tensor e = v.exp();
                            return e.add(1).mul(e);
                        });

        var at = f.at(Tensors.scalar(0.3));

        double e = Math.exp(0.3);
        assertThat(at.value().item()).isEqualTo((e + 1) * e, NEAR);
        assertThat(at.by(0).item()).isEqualTo(2 * e * e + e, NEAR);
    }
}
