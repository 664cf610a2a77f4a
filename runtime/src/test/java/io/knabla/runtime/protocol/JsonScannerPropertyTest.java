package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares the scanner with Jackson: both accept the same texts. */
class JsonScannerPropertyTest {
    private static final JsonFactory JACKSON = new JsonFactory();

    private static boolean jackson(byte[] json) {
        try (var parser = JACKSON.createParser(json)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            parser.getText();
            return parser.nextToken() == null;
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean ours(byte[] json) {
        var scanner = new JsonScanner(json, 0, json.length);
        try {
            scanner.skip();
            scanner.expectEnd();
            return true;
        } catch (ProtocolException refused) {
            return false;
        }
    }

    @Provide
    Arbitrary<String> nearlyJson() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        ":",
                        "\"a\"",
                        "\"\\n\"",
                        "\"\\u0041\"",
                        "\"ü\"",
                        "\"\\x\"",
                        "1",
                        "-1",
                        "01",
                        "1.5",
                        "1.",
                        ".5",
                        "1e5",
                        "1e",
                        "-",
                        "true",
                        "false",
                        "null",
                        "tru",
                        " ")
                .list()
                .ofMaxSize(9)
                .map(parts -> String.join("", parts));
    }

    @Property(tries = 5000)
    void acceptsWhatJacksonAccepts(@ForAll("nearlyJson") String text) {
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        assertThat(ours(json)).as(text).isEqualTo(jackson(json));
    }

    /** Byte 0xff is -1, which must not be taken for the end. */
    @Example
    void takesNoByteForTheEnd() {
        byte[] json = {'1', (byte) 0xff, (byte) 0xff};
        assertThat(ours(json)).isFalse();
        assertThatThrownBy(() -> new JsonScanner(json, 1, 3).skip()).hasMessageContaining("found byte 0xff");
    }

    @Property
    void readsTextsAsTheyWereWritten(@ForAll String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return;
        }
        var writer = new JsonWriter(4).text(text);
        var scanner = new JsonScanner(writer.bytes(), 0, writer.size());
        assertThat(scanner.string("a text")).isEqualTo(text);
        scanner.expectEnd();
    }
}
