package io.knabla.controller.auth;

import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.Origin;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which web pages of other origins may call the platform from a browser, by cross-origin resource sharing (CORS, Fetch
 * standard 3.2). Cookies and passwords that the browser has stored are never allowed: a page sends the token itself.
 *
 * @param origins each in the form that browsers send; empty allows none
 */
public record CrossOrigin(Set<String> origins) {
    public static final CrossOrigin NONE = new CrossOrigin(Set.of());

    private static final String ALLOW = "Access-Control-Allow-";
    private static final String PREFLIGHT = ALLOW
            + "Methods: GET, HEAD, POST, PUT, DELETE\r\n"
            + ALLOW
            + "Headers: Authorization, Content-Type, Content-Encoding, Content-Range, Inference-Header-Content-Length, "
            + "traceparent, tracestate, X-Request-Id\r\n"
            + "Access-Control-Max-Age: 600\r\n";
    private static final String EXPOSED =
            "Access-Control-Expose-Headers: Inference-Header-Content-Length, Knabla-Start, "
                    + "Knabla-Usage-Damages, Knabla-Version, Retry-After, Server-Timing, traceparent, Upload-Offset, X-Request-Id\r\n";

    public CrossOrigin {
        origins = Set.copyOf(origins);
    }

    public static CrossOrigin of(Settings settings) {
        return new CrossOrigin(
                settings.origins().orElse(List.of()).stream().map(Origin::value).collect(Collectors.toSet()));
    }

    public boolean allows(Optional<String> origin) {
        return origin.map(text -> text.toLowerCase(Locale.ROOT))
                .filter(origins::contains)
                .isPresent();
    }

    /** Header lines of every response to a request with this origin, each ended by CR LF. */
    public String headers(Optional<String> origin) {
        if (origins.isEmpty()) {
            return "";
        }
        // Caches must not give one page the answer to another.
        String vary = "Vary: Origin\r\n";
        return allows(origin) ? vary + ALLOW + "Origin: " + sent(origin) + "\r\n" + EXPOSED : vary;
    }

    /** Header lines of the response to a preflight request of an allowed origin, beside {@link #headers}. */
    public String preflightHeaders() {
        return PREFLIGHT;
    }

    /** The configured text, not the client's. */
    private String sent(Optional<String> origin) {
        String wanted = origin.orElseThrow().toLowerCase(Locale.ROOT);
        return origins.stream().filter(wanted::equals).findFirst().orElseThrow();
    }
}
