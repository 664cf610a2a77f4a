package io.knabla.functions.compiler.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arithmetic with symbolic sizes. */
class DimTest {
    private static final Dim N = new Dim.Symbol("n");
    private static final Dim M = new Dim.Symbol("m");

    /** A symbolic size and its value for n = 3 and m = 7. */
    private record Counted(Dim dim, long value) {}

    private static Dim of(long size) {
        return new Dim.Known(size);
    }

    /** One step of a calculation: an operation on two of the values so far. */
    @Property
    void symbolicAndNumericResultsAgree(@ForAll @Size(max = 8) List<@IntRange(max = 9999) Integer> steps) {
        var values = new ArrayList<Counted>();
        values.add(new Counted(N, 3));
        values.add(new Counted(M, 7));
        for (int step : steps) {
            Counted a = values.get(step / 10 % values.size());
            Counted b = values.get(step / 100 % values.size());
            long number = 1 + step / 1000;
            values.add(
                    switch (step % 5) {
                        case 0 -> new Counted(a.dim.plus(b.dim), a.value + b.value);
                        case 1 -> new Counted(a.dim.minus(b.dim), a.value - b.value);
                        case 2 -> new Counted(a.dim.times(b.dim), a.value * b.value);
                        case 3 -> new Counted(a.dim.minus(of(number)), a.value - number);
                        default -> new Counted(a.dim.dividedBy(of(number)), Math.floorDiv(a.value, number));
                    });
        }
        Map<String, Dim> numbers = Map.of("n", of(3), "m", of(7));
        for (Counted value : values) {
            Dim counted = value.dim.substitute(symbol -> numbers.get(symbol.name()));
            if (value.dim.fixed()) {
                assertThat(counted).as("%s", value.dim).isEqualTo(of(value.value));
            }
        }
    }

    @Property
    void multiplicationIsCommutativeAndDistributive(
            @ForAll @IntRange(min = -5, max = 5) int a, @ForAll @IntRange(min = 1, max = 5) int b) {
        Dim left = N.plus(of(a)).times(M.plus(of(b)));
        Dim right = M.times(N).plus(N.times(of(b))).plus(of(a).times(M)).plus(of((long) a * b));

        assertThat(left).isEqualTo(right);
        assertThat(left.dividedBy(M.plus(of(b)))).isEqualTo(N.plus(of(a)));
    }

    @Test
    void printsAsArithmetic() {
        assertThat(N.times(of(2)).plus(of(1))).hasToString("2*n + 1");
        assertThat(N.minus(of(1)).dividedBy(of(2)).plus(of(1))).hasToString("(n + 1)/2");
        assertThat(N.times(M).minus(M)).hasToString("m*n - m");
        assertThat(N.dividedBy(of(2)).dividedBy(of(3))).hasToString("n/6");
        assertThat(N.times(of(6)).plus(of(9)).dividedBy(of(4))).hasToString("n + n/2 + 2");
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 1", "8, 4, 2", "7, 2, 3", "-7, 2, -4"})
    void divisionRoundsDown(long above, long below, long quotient) {
        assertThat(of(above).dividedBy(of(below))).isEqualTo(of(quotient));
    }

    @Test
    void divisionByZeroIsUnknown() {
        assertThat(N.dividedBy(Dim.ZERO)).isEqualTo(Dim.UNKNOWN);
        assertThat(of(4).dividedBy(Dim.ZERO)).isEqualTo(Dim.UNKNOWN);
        assertThat(Dim.UNKNOWN.plus(N)).isEqualTo(Dim.UNKNOWN);
    }

    @Test
    void comparesWhenSignsDecide() {
        assertThat(N.plus(of(1)).exceeds(N)).isTrue();
        assertThat(N.plus(M).plus(of(2)).exceeds(of(1))).isTrue();
        assertThat(N.exceeds(M)).isFalse();
        assertThat(N.exceeds(Dim.ZERO)).isFalse();
    }

    @Test
    void oversizedExpressionsBecomeUnknown() {
        Dim product = Dim.ONE;
        for (int i = 0; i < 12; i++) {
            product = product.times(new Dim.Symbol("n" + i).plus(new Dim.Symbol("m" + i)));
        }
        Dim power = N;
        for (int i = 0; i < 100; i++) {
            power = power.times(power);
        }

        assertThat(product).isEqualTo(Dim.UNKNOWN);
        assertThat(power).isEqualTo(Dim.UNKNOWN);
        assertThat(new Dim.Symbol("x".repeat(1000)).plus(Dim.ONE)).isEqualTo(Dim.UNKNOWN);
    }
}
