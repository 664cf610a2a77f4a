package io.knabla.runtime.tesseract;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Writes error bodies in Tesseract's form ({@code detail}), with Knabla's {@code error} field added. */
final class ErrorWriter {
    private ErrorWriter() {}

    static void write(JsonGenerator out, RequestException refused) throws IOException {
        out.writeStartObject();
        if (refused.faults().isEmpty()) {
            out.writeStringField("detail", refused.getMessage());
        } else {
            out.writeArrayFieldStart("detail");
            for (Fault fault : refused.faults()) {
                write(out, fault);
            }
            out.writeEndArray();
        }
        out.writeStringField("error", refused.getMessage());
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, Fault fault) throws IOException {
        out.writeStartObject();
        out.writeStringField("type", fault.type());
        out.writeArrayFieldStart("loc");
        for (Object step : fault.place()) {
            if (step instanceof Integer item) {
                out.writeNumber(item);
            } else {
                out.writeString(step.toString());
            }
        }
        out.writeEndArray();
        out.writeStringField("msg", fault.sentence());
        out.writeEndObject();
    }
}
