package io.knabla.runtime.grpc;

import java.util.LinkedHashMap;
import java.util.Map;

/** Parameters of a request, an input or an output: names with a JSON value. */
final class Parameters {
    private static final String TIMEOUT = "timeout";

    private final Map<String, String> values = new LinkedHashMap<>(4);

    /** Reads one entry of the map. */
    void read(WireReader in) {
        String name = "";
        String value = "null";
        for (int field = in.next(); field != 0; field = in.next()) {
            switch (field) {
                case 1 -> name = in.text();
                case 2 -> value = value(in.message());
                default -> in.skip();
            }
        }
        // How tensors are sent is for this translation to say.
        if (!name.startsWith("binary_data")) {
            values.put(name, value);
        }
    }

    private static String value(WireReader in) {
        String value = "null";
        for (int field = in.next(); field != 0; field = in.next()) {
            value = switch (field) {
                case 1 -> in.number() == 0 ? "false" : "true";
                case 2 -> Long.toString(in.number());
                case 3 -> Json.quoted(new StringBuilder(), in.text()).toString();
                case 4 -> real(in.real());
                case 5 -> Long.toUnsignedString(in.number());
                default -> {
                    in.skip();
                    yield value;
                }
            };
        }
        return value;
    }

    private static String real(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** A time that the request itself names, in microseconds, takes precedence. */
    void limitTime(long micros) {
        values.putIfAbsent(TIMEOUT, Long.toString(micros));
    }

    /** @param more a further member, written in JSON; empty for none */
    String json(String more) {
        if (values.isEmpty()) {
            return "{" + more + "}";
        }
        var json = new StringBuilder("{").append(more);
        values.forEach((name, value) -> {
            json.append(json.length() == 1 ? "" : ",");
            Json.quoted(json, name).append(':').append(value);
        });
        return json.append('}').toString();
    }
}
