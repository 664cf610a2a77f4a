package io.knabla.functions.compiler.trace;

import static io.knabla.functions.compiler.onnx.ElementType.DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.interpreter.NdArray;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests gradients of Java functions against closed forms and central differences. */
class GradientsTest {
    private static final double STEP = 1e-5;
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
        var f = Gradients.of(v -> {
            Tensor e = v.exp();
            return e.add(1).mul(e);
        });

        var at = f.at(Tensors.scalar(0.3));

        double e = Math.exp(0.3);
        assertThat(at.value().item()).isEqualTo((e + 1) * e, NEAR);
        assertThat(at.by(0).item()).isEqualTo(2 * e * e + e, NEAR);
    }

    /** Against central differences in double precision. */
    private static void holds(BinaryOperator<Tensor> loss) {
        var random = new Random(2);
        Tensor x = Tensors.normal(random, 1, 4, 3).cast(DOUBLE);
        Tensor w = Tensors.normal(random, 1, 3, 3).cast(DOUBLE);

        var at = Gradients.of(v -> loss.apply(v, w.named("w"))).at(x);

        assertThat(at.value().item()).isEqualTo(loss.apply(x, w).item(), NEAR);
        for (int i = 0; i < 9; i++) {
            double up = loss.apply(x, moved(w, i, STEP)).item();
            double down = loss.apply(x, moved(w, i, -STEP)).item();
            assertThat(at.by("w").toArray()[i]).isCloseTo((up - down) / (2 * STEP), NEAR);
        }
        for (int i = 0; i < 12; i++) {
            double up = loss.apply(moved(x, i, STEP), w).item();
            double down = loss.apply(moved(x, i, -STEP), w).item();
            assertThat(at.by(0).toArray()[i]).isCloseTo((up - down) / (2 * STEP), NEAR);
        }
    }

    private static Tensor moved(Tensor tensor, int at, double step) {
        double[] values = tensor.toArray();
        values[at] += step;
        return Tensor.of(NdArray.reals(DOUBLE, tensor.dims(), values));
    }

    @Test
    void argumentsAndParameters() {
        holds((x, w) -> x.matmul(w).tanh().softmax(-1).mul(x).sum());
        holds((x, w) ->
                x.linear(w, w.index(0, 1)).silu().mul(w.index(0, 2)).square().mean());
        holds((x, w) ->
                x.layerNorm(w.index(0, 0), w.index(0, 2), 1e-5).square().mul(x).mean());
        holds((x, w) ->
                x.attention(x.matmul(w), x).logSoftmax(-1).slice(1, 0, 2).sum());
    }

    @Test
    void choicesAndRepetitions() {
        holds((x, w) -> {
            Tensor chosen =
                    Trace.condOne(x.sum().greater(-100), () -> x.matmul(w).tanh(), () -> x);
            Tensor first = Tensors.zeros(3).cast(DOUBLE);
            return Trace.scan(List.of(first), List.of(chosen), (state, row) -> {
                        Tensor sum = state.getFirst().mul(0.5).add(row.getFirst());
                        return new Trace.ScanResult(List.of(sum), List.of(sum.tanh()));
                    })
                    .outputs()
                    .getFirst()
                    .mul(x)
                    .sum();
        });
    }
}
