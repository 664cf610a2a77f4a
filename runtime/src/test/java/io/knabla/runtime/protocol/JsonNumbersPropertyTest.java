package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the number parsers with the JDK's. */
class JsonNumbersPropertyTest {
    private static JsonScanner scanner(String text) {
        byte[] bytes = (text + "]").getBytes(StandardCharsets.US_ASCII);
        return new JsonScanner(bytes, 0, bytes.length);
    }

    @Property
    void roundTripsFloats(@ForAll int bits) {
        float value = Float.intBitsToFloat(bits);
        if (Float.isFinite(value)) {
            assertThat(JsonNumbers.readFloat(scanner(Float.toString(value)))).isEqualTo(value);
        }
    }

    @Property
    void roundTripsDoubles(@ForAll long bits) {
        double value = Double.longBitsToDouble(bits);
        if (Double.isFinite(value)) {
            assertThat(JsonNumbers.readDouble(scanner(Double.toString(value)))).isEqualTo(value);
        }
    }

    @Property
    void decimalsAreRoundedOnceToFloat(@ForAll long digits, @ForAll @IntRange(min = -40, max = 40) int scale) {
        String text = BigDecimal.valueOf(digits, scale).toPlainString();
        float expected = Float.parseFloat(text);
        if (Float.isFinite(expected)) {
            assertThat(JsonNumbers.readFloat(scanner(text))).isEqualTo(expected);
        }
    }

    /** Decimals near the midpoint of two floats, where double rounding gives a wrong result. */
    @Property
    void roundsValuesNearFloatMidpoints(@ForAll @IntRange(min = 1, max = 1 << 23) int step) {
        double low = 1 + step * Math.ulp(1f);
        BigDecimal middle = new BigDecimal(low + Math.ulp(1f) / 2.0);
        BigDecimal hair = new BigDecimal("1e-25");
        for (BigDecimal value : new BigDecimal[] {middle.add(hair), middle.subtract(hair), middle}) {
            String text = value.toPlainString();
            assertThat(JsonNumbers.readFloat(scanner(text))).isEqualTo(Float.parseFloat(text));
        }
    }

    @Property
    void roundTripsLongs(@ForAll long value) {
        assertThat(JsonNumbers.readInteger(scanner(Long.toString(value)), 64, true))
                .isEqualTo(value);
        assertThat(JsonNumbers.readInteger(scanner(Long.toUnsignedString(value)), 64, false))
                .isEqualTo(value);
    }
}
