package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each operation of the scanner: what it consumes, its position afterwards, and its errors. */
class JsonScannerTest {
    /** Surrounded by other bytes, which reveals reads past either end. */
    private static JsonScanner scanner(String text) {
        byte[] bytes = ("1\"" + text + "\"]}").getBytes(StandardCharsets.UTF_8);
        return new JsonScanner(bytes, 2, bytes.length - 3);
    }

    private static String rest(JsonScanner scanner) {
        return new String(
                scanner.bytes(), scanner.position(), scanner.end() - scanner.position(), StandardCharsets.UTF_8);
    }

    @Test
    void whiteSpaceOfEveryKindIsPassedOver() {
        var scanner = scanner(" \n\r\t{ }");
        assertThat(scanner.peek()).isEqualTo('{');
        assertThat(scanner.take('[')).isFalse();
        assertThat(scanner.take('{')).isTrue();
        assertThat(scanner.take('}')).isTrue();
        assertThat(scanner.peek()).isEqualTo(-1);
        assertThat(scanner.take('"')).isFalse();
        scanner.expectEnd();
    }

    @Test
    void moreDetectsCommaOrEnd() {
        var scanner = scanner(" , ] x");
        assertThat(scanner.more(']')).isTrue();
        assertThat(scanner.more(']')).isFalse();
        assertThatThrownBy(() -> scanner.more(']'))
                .hasMessage("the JSON is malformed at byte 7: expected ',' or ']', found 'x'");
        assertThatThrownBy(scanner::expectEnd).hasMessageContaining("expected the end of the JSON, found 'x'");
        assertThatThrownBy(() -> scanner.expect('{', "here")).hasMessageContaining("expected '{' here, found 'x'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"!|'!'", "~|'~'", "`\u007f`|byte 0x7f", "`\u0001`|byte 0x01", "ü|byte 0xc3"})
    void errorShowsUnexpectedByte(String found, String shown) {
        assertThatThrownBy(() -> scanner(found).expectEnd()).hasMessageEndingWith("found " + shown);
    }

    @Test
    void neverReadsPastTheEnd() {
        assertThatThrownBy(() -> scanner("").string("a text"))
                .hasMessage("the JSON ends too early, at byte 2: expected a text");
        assertThatThrownBy(() -> scanner("\"abc").string("a text")).hasMessage("the JSON ends within a text");
        assertThatThrownBy(() -> scanner("\"ü").string("a text")).hasMessage("the JSON ends within a text");
        assertThatThrownBy(() -> scanner("\"abc\\").string("a text")).hasMessageContaining("an unknown escape");
        assertThatThrownBy(() -> scanner("\"\\u12").string("a text"))
                .hasMessageContaining("a broken \\u escape at byte 7");
        assertThat(scanner("tru").takeLiteral("true")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"\"|~~",
                "\"a b\"|a b",
                "\"\u00fc\u20ac\ud83d\ude00\"|\u00fc\u20ac\ud83d\ude00",
                "\"\\\"\\\\\\/\"|\"\\/",
                "\"x\\u0041y\"|xAy",
                "\"\\u00e9\\u20AC\"|\u00e9\u20ac",
                "\"\\ud83d\\ude00!\"|\ud83d\ude00!",
                "\"\u00fc\\u0041\"|\u00fcA",
                "\"\\u007f\u007f\"|\u007f\u007f"
            })
    void texts(String json, String text) {
        var scanner = scanner(" " + json + "7");
        assertThat(scanner.string("a text")).isEqualTo(text);
        assertThat(rest(scanner)).isEqualTo("7");
    }

    @Test
    void everyShortEscape() {
        assertThat(scanner("\"\\b\\f\\n\\r\\t \"").string("a text")).isEqualTo("\b\f\n\r\t ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"\\x\"|an unknown escape at byte 4",
                "\"\\u00g0\"|a broken \\u escape at byte 7",
                "\"\\u\u00fc000\"|a broken \\u escape at byte 5",
                "\"\\ud83d\"|half of a surrogate pair",
                "\"\\ude00\\ud83d\"|half of a surrogate pair",
                "\"\\ud83dx\"|half of a surrogate pair",
                "\"\\ud83d\u00fc\"|half of a surrogate pair",
                "'a'|expected a text, found"
            })
    void badTexts(String json, String sentence) {
        assertThatThrownBy(() -> scanner(json).string("a text"))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 9, 10, 0x1f})
    void controlCharactersMustBeEscaped(int control) {
        for (String before : new String[] {"", "\u00fc"}) {
            assertThatThrownBy(
                            () -> scanner("\"" + before + (char) control + "\"").string("a text"))
                    .hasMessage("a text in the JSON has an unescaped control character at byte %d"
                            .formatted(before.isEmpty() ? 3 : 5));
        }
    }

    @Test
    void textsAreUtf8() {
        byte[] bytes = {'"', (byte) 0xc3, 'x', '"'};
        assertThatThrownBy(() -> new JsonScanner(bytes, 0, 4).string("a text"))
                .hasMessage("a text in the JSON is not UTF-8");
    }

    @Test
    void takesOnlyWholeWords() {
        var scanner = scanner(" true false");
        assertThat(scanner.takeLiteral("trux")).isFalse();
        assertThat(scanner.takeLiteral("true")).isTrue();
        assertThat(rest(scanner)).isEqualTo(" false");
        assertThat(scanner.takeLiteral("false")).isTrue();
        assertThat(rest(scanner)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{ }",
                "[ ]",
                "{\"a\":1}",
                "{\"a\" : [ {} , [] ] , \"b\":null}",
                "[1,2]",
                "true",
                "false",
                "null",
                "-1.5e-3",
                "0",
                "10",
                "1.50",
                "1E5",
                "\"\"",
                "\"\\n\""
            })
    void skipsOneValue(String json) {
        var scanner = scanner(json + ",7");
        scanner.skip();
        assertThat(rest(scanner)).isEqualTo(",7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{1:2}|expected a name in quotes, found '1'",
                "{\"a\" 2}|expected ':' after a name, found '2'",
                "{\"a\":2 3}|expected ',' or '}', found '3'",
                "{\"a\":2,}|expected a name in quotes, found '}'",
                "[1 2]|expected ',' or ']', found '2'",
                "[1,]|expected a number, found ']'",
                "[|expected a number",
                "{|expected a name in quotes",
                "tru|expected a value, found 't'",
                "nul|expected a value, found 'n'",
                "fals|expected a value, found 'f'",
                "1.x|expected a digit, found 'x'",
                "|expected a number"
            })
    void refusesWhatIsNotJson(String json, String sentence) {
        assertThatThrownBy(() -> scanner(json == null ? "" : json).skip())
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":"})
    void nestingIsBounded(String open) {
        String close = open.equals("[") ? "]" : "}";
        scanner(open.repeat(64) + "1" + close.repeat(64)).skip();
        assertThatThrownBy(
                        () -> scanner(open.repeat(65) + "1" + close.repeat(65)).skip())
                .hasMessage("the JSON is nested deeper than 64");
    }
}
