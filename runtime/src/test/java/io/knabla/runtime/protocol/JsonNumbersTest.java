package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests numbers at the boundaries between the fast path, the slow path and malformed input. */
class JsonNumbersTest {
    private static JsonScanner scanner(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return new JsonScanner(bytes, 0, bytes.length);
    }

    /** Compares with the JDK; the bytes after the number must not be consumed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.0",
                "-0.0",
                "1",
                "-1",
                "9",
                "10",
                "0.5",
                "10.25",
                "-3e0",
                "1E+2",
                "1e-2",
                "9007199254740991",
                "9007199254740992",
                "9007199254740993",
                "0.1",
                "0.3",
                "123456.789",
                "0.0000000000000000000001",
                "0.00000000000000000000001",
                "0.12345678901234567890123",
                "999999999999999999",
                "9999999999999999999",
                "123456789012345678901234567890",
                "1.7976931348623157e308",
                "4.9e-324",
                "2.2250738585072011e-308",
                "1e22",
                "1e23",
                "900719925474099.3",
                "0.1000000000000000055511151231257827",
                "100000000000000000000.5"
            })
    void doublesAreReadAsTheJdkReadsThem(String text) {
        for (String after : new String[] {",", "]", "}", " ", "\n", "\r", "\t", ""}) {
            var scanner = scanner(" " + text + after);
            assertThat(JsonNumbers.readDouble(scanner)).isEqualTo(Double.parseDouble(text));
            assertThat(scanner.position()).isEqualTo(1 + text.length());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "-2.5",
                "0.1",
                "16777216",
                "16777217",
                "16777219",
                "3.4028235e38",
                "1.4e-45",
                "0.00000000000000000000000000000000000001",
                "1.00000005960464477539062500",
                "1.0000000596046448",
                "1.00000005960464478",
                "8388608.5",
                "8388609.5",
                "4.000000715255737",
                "-4.000000715255737",
                "0.0000000000000000000001",
                "0.000000000000000000011754943",
                "33554434.0000000001",
                "33554435"
            })
    void floatsAreRoundedOnce(String text) {
        var scanner = scanner(text + ",");
        assertThat(JsonNumbers.readFloat(scanner)).isEqualTo(Float.parseFloat(text));
        assertThat(scanner.position()).isEqualTo(text.length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "x|the JSON is malformed at byte 0: expected a number, found 'x'",
                "-|at byte 0: expected a number, found '-'",
                "-x|expected a number, found '-'",
                "+1|expected a number, found '+'",
                ".5|expected a number, found '.'",
                "-.5|expected a number, found '-'",
                "00|at byte 0: expected a number, found '0'",
                "-012|at byte 1: expected a number, found '0'",
                "01.5|expected a number",
                "1.|the JSON ends too early, at byte 2: expected a digit",
                "1.,|at byte 2: expected a digit, found ','",
                "1.e5|at byte 2: expected a digit, found 'e'",
                "1e|at byte 2: expected a digit",
                "1e+|at byte 3: expected a digit",
                "1E-x|at byte 3: expected a digit, found 'x'",
                "1e400|the number 1e400 at byte 0 is too large for its datatype",
                "-1e400|the number -1e400 at byte 0 is too large for its datatype"
            })
    void refuses(String text, String sentence) {
        assertThatThrownBy(() -> JsonNumbers.readDouble(scanner(text)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
        assertThatThrownBy(() -> JsonNumbers.readFloat(scanner(text))).isInstanceOf(ProtocolException.class);
    }

    @Test
    void stopsAfterTheNumber() {
        var scanner = scanner("12x");
        assertThat(JsonNumbers.readDouble(scanner)).isEqualTo(12);
        assertThat(scanner.position()).isEqualTo(2);
    }

    @Test
    void floatsOverflowBeforeDoubles() {
        assertThat(JsonNumbers.readDouble(scanner("3.5e38"))).isEqualTo(3.5e38);
        assertThatThrownBy(() -> JsonNumbers.readFloat(scanner("3.5e38")))
                .hasMessageContaining("too large for its datatype");
        assertThatThrownBy(() -> JsonNumbers.readFloat(scanner("350000000000000000000000000000000000000,")))
                .hasMessageContaining("too large for its datatype");
    }

    @Test
    void limitsLengthOfNumbers() {
        assertThat(JsonNumbers.readDouble(scanner("1." + "0".repeat(998)))).isEqualTo(1);
        assertThatThrownBy(() -> JsonNumbers.readDouble(scanner("1." + "0".repeat(999))))
                .hasMessageContaining("a number at byte 0 has more than 1000 characters");
    }

    @Test
    void truncatesLongNumbersInErrors() {
        assertThatThrownBy(() -> JsonNumbers.readInteger(scanner("1".repeat(40)), 64, true))
                .hasMessageStartingWith("1".repeat(40) + " at byte 0");
        assertThatThrownBy(() -> JsonNumbers.readInteger(scanner("1".repeat(41)), 64, true))
                .hasMessageStartingWith("1".repeat(40) + "… at byte 0");
    }

    @ParameterizedTest
    @CsvSource({
        "8, true, -128, 127, -129, 128",
        "8, false, 0, 255, -1, 256",
        "16, true, -32768, 32767, -32769, 32768",
        "16, false, 0, 65535, -1, 65536",
        "32, true, -2147483648, 2147483647, -2147483649, 2147483648",
        "32, false, 0, 4294967295, -1, 4294967296",
        "64, true, -9223372036854775808, 9223372036854775807, -9223372036854775809, 9223372036854775808",
        "64, false, 0, 18446744073709551615, -1, 18446744073709551616"
    })
    void acceptsExactlyTheRangeOfTheType(
            int bits, boolean signed, String least, String most, String below, String above) {
        for (String good : new String[] {least, most}) {
            var scanner = scanner(good + "]");
            long expected = good.startsWith("-") ? Long.parseLong(good) : Long.parseUnsignedLong(good);
            assertThat(JsonNumbers.readInteger(scanner, bits, signed)).isEqualTo(expected);
            assertThat(scanner.position()).isEqualTo(good.length());
        }
        String type = (signed ? "INT" : "UINT") + bits;
        for (String bad : new String[] {below, above}) {
            assertThatThrownBy(() -> JsonNumbers.readInteger(scanner(bad + "]"), bits, signed))
                    .hasMessage(bad + " at byte 0 does not fit " + type);
        }
    }

    @Test
    void anIntegerOfOneBitIsCalledBool() {
        assertThat(JsonNumbers.readInteger(scanner("1]"), 1, false)).isEqualTo(1);
        assertThatThrownBy(() -> JsonNumbers.readInteger(scanner("2]"), 1, false))
                .hasMessage("2 at byte 0 does not fit BOOL, which is true, false, 1 or 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "7", "10", "999999999999999999", "1000000000000000000", "-0"})
    void integersMayEndBeforeAnyByte(String text) {
        for (String after : new String[] {",", "]", "}", " ", "\n", "\r", "\t", "", "x"}) {
            var scanner = scanner(text + after);
            assertThat(JsonNumbers.readInteger(scanner, 64, true)).isEqualTo(Long.parseLong(text));
            assertThat(scanner.position()).isEqualTo(text.length());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.0|1.0 at byte 0 is no integer; write it without fraction and exponent",
                "1e2|1e2 at byte 0 is no integer",
                "1E2|1E2 at byte 0 is no integer",
                "01|expected a number, found '0'",
                "-|expected a number",
                "''|expected a number",
                "x|expected a number, found 'x'"
            })
    void rejectsNonIntegers(String text, String sentence) {
        assertThatThrownBy(() -> JsonNumbers.readInteger(scanner(text), 32, true))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }
}
