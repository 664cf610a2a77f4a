package io.knabla.runtime.errors;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/** Builds a small JSON text. */
final class JsonText {
    private final StringBuilder text;

    JsonText(String start) {
        text = new StringBuilder(start);
    }

    /** Adds a string literal. */
    JsonText quote(String value) {
        text.append('"');
        JsonStringEncoder.getInstance().quoteAsString(value, text);
        text.append('"');
        return this;
    }

    /** Adds JSON as it is. */
    JsonText raw(String json) {
        text.append(json);
        return this;
    }

    byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
