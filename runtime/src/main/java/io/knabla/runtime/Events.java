package io.knabla.runtime;

import io.knabla.runtime.protocol.JsonWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** What a replica tells its launcher: one JSON object a line on standard output. */
final class Events {
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private Events() {}

    static void listening(int port) {
        write(new JsonWriter(64).raw("{\"event\":\"listening\",\"port\":").number(port).raw("}\n"));
    }

    static void ready(long boot, long fetch, long load) {
        write(
                new JsonWriter(128)
                        .raw("{\"event\":\"ready\",\"phases\":{\"boot\":")
                        .number(boot)
                        .raw(",\"fetch\":")
                        .number(fetch)
                        .raw(",\"load\":")
                        .number(load)
                        .raw("}}\n"));
    }

    /** @param warning null where there is nothing to say */
    static void checked(long load, long run, String warning) {
        var event =
                new JsonWriter(128)
                        .raw("{\"event\":\"checked\",\"loadMillis\":")
                        .number(load)
                        .raw(",\"runMillis\":")
                        .number(run);
        if (warning != null) {
            event.raw(",\"warning\":").text(warning);
        }
        write(event.raw("}\n"));
    }

    static void failed(String error) {
        sentence("failed", error);
    }

    static void refused(String error) {
        sentence("refused", error);
    }

    private static void sentence(String event, String error) {
        String text = error == null ? "no reason was given" : error;
        write(
                new JsonWriter(256)
                        .raw("{\"event\":\"" + event + "\",\"error\":")
                        .text(text)
                        .raw("}\n"));
    }

    private static void write(JsonWriter line) {
        try {
            OUT.write(line.bytes(), 0, line.size());
        } catch (IOException nobodyListens) {
            // The launcher is gone; the end of standard input will tell.
        }
    }
}
