package io.knabla.runtime.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes JSON objects. */
final class ApiJson {
    private static final JsonFactory JSON = new JsonFactory();

    private ApiJson() {}

    /** Writes the fields of an object. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator out) throws IOException;
    }

    static byte[] write(Fields fields) {
        var bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            fields.write(out);
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("memory can be written", impossible);
        }
        return bytes.toByteArray();
    }

    /** A text from a client with a question mark for each lone surrogate, which UTF-8 cannot express. */
    static String whole(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
