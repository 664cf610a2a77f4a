package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Headers between a call of gRPC and the HTTP request that it becomes. */
final class CallHeaders {
    static final String JSON_LENGTH = "Inference-Header-Content-Length";

    private CallHeaders() {}

    /**
     * Headers of the request: the call's metadata.
     *
     * @param jsonLength bytes of the JSON before the tensors; -1 for a body without tensors
     */
    static HttpHeaders ofCall(HttpHeaders metadata, int jsonLength) {
        List<String> fields = new ArrayList<>(2 * metadata.size() + 2);
        for (int i = 0; i < metadata.size(); i++) {
            String name = metadata.name(i);
            if (!isOfFraming(name) && !name.startsWith("grpc-")) {
                fields.add(name);
                fields.add(metadata.value(i));
            }
        }
        if (jsonLength >= 0) {
            fields.add(JSON_LENGTH);
            fields.add(Integer.toString(jsonLength));
        }
        return HttpHeaders.of(fields.toArray(String[]::new));
    }

    /** Lines of an answer that become the call's metadata. */
    static String ofAnswer(String lines) {
        var kept = new StringBuilder(lines.length());
        for (int at = 0, end; at < lines.length(); at = end) {
            end = lines.indexOf("\r\n", at) + 2;
            if (!isOfFraming(lines.substring(at, lines.indexOf(':', at)))) {
                kept.append(lines, at, end);
            }
        }
        return kept.toString();
    }

    private static boolean isOfFraming(String name) {
        return switch (name.length()) {
            case 2, 6, 12, 14, 15, 16, 31 ->
                switch (name.toLowerCase(Locale.ROOT)) {
                    case "te",
                            "expect",
                            "content-type",
                            "content-length",
                            "accept-encoding",
                            "content-encoding",
                            "inference-header-content-length" -> true;
                    default -> false;
                };
            default -> false;
        };
    }

    /** Bytes of JSON before the tensors of an answer; {@code all} if it has none. */
    static int jsonLength(String lines, int all) {
        int at = 0;
        while (!lines.regionMatches(true, at, JSON_LENGTH, 0, JSON_LENGTH.length())) {
            at = lines.indexOf("\r\n", at) + 2;
            if (at < 2 || at >= lines.length()) {
                return all;
            }
        }
        int from = lines.indexOf(':', at) + 1;
        return Integer.parseInt(lines, skipBlank(lines, from), lines.indexOf('\r', from), 10);
    }

    private static int skipBlank(String lines, int from) {
        int at = from;
        while (lines.charAt(at) == ' ') {
            at++;
        }
        return at;
    }
}
