package io.knabla.runtime.tesseract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Encoding of arrays in responses. */
enum Encoding {
    JSON("json", "json"),
    BASE64("json+base64", "base64");

    private final String format;
    private final String inData;

    Encoding(String format, String inData) {
        this.format = format;
        this.inData = inData;
    }

    /** Subtype of the media type, after {@code application/}. */
    String format() {
        return format;
    }

    /** Value of {@code encoding} in an array's {@code data}. */
    String inData() {
        return inData;
    }

    private record MediaRange(String type, double quality, boolean plain) {}

    /**
     * Selects the encoding that an {@code Accept} header prefers; throws a {@link RequestException} with 406 if none
     * matches.
     */
    static Encoding accepted(String header) {
        if (header == null || header.isBlank()) {
            return JSON;
        }
        List<MediaRange> ranges = new ArrayList<>();
        for (String range : header.split(",")) {
            ranges.add(parseRange(range));
        }
        ranges.sort(Comparator.comparingDouble(MediaRange::quality).reversed());
        for (MediaRange accepted : ranges) {
            if (!accepted.plain()) {
                continue;
            }
            if (accepted.type().equals("*/*") || accepted.type().equals("application/*")) {
                return JSON;
            }
            for (Encoding encoding : values()) {
                if (accepted.type().equals("application/" + encoding.format)) {
                    return encoding;
                }
            }
        }
        throw RequestException.withStatus(
                406,
                "no format in Accept is supported; supported are application/json and application/json+base64, without compression and from CPU memory");
    }

    private static MediaRange parseRange(String range) {
        String[] parts = range.split(";");
        double quality = 1;
        boolean plain = true;
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].strip().toLowerCase(Locale.ROOT).split("=", 2);
            String value = pair.length == 2 ? pair[1].strip().replace("\"", "") : "";
            switch (pair[0].strip()) {
                case "q" -> quality = quality(value);
                case "compression", "gpu_transport" -> plain &= value.equals("none");
                default -> {}
            }
        }
        return new MediaRange(parts[0].strip().toLowerCase(Locale.ROOT), quality, plain);
    }

    private static double quality(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }
}
